-- Settle a reminder, unless it is not the one that was read: move or remove it, and leave a notice.
--
-- KEYS  1 reminders  2 notices
-- ARGV  1 reminder  2 its time in ms  3 its new time in ms, or ''  4 game id  5 version  6 the notice, or ''
-- Returns whether it was the one that was read.
if tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or -1) ~= tonumber(ARGV[2]) then
  return 0
end
if ARGV[3] == '' then
  redis.call('ZREM', KEYS[1], ARGV[1])
else
  redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1])
end
if ARGV[6] ~= '' then
  redis.call('XADD', KEYS[2], 'MAXLEN', '~', '100000', '*', 'g', ARGV[4], 'v', ARGV[5], 'n', ARGV[6])
end
return 1
