-- Add notices to the log of an existing player, each only once, and wake the followers of the log.
--
-- KEYS  1 player  2 notices  3 the names of the latest notices
-- ARGV  1 channel  2 how many notices are stored  3 for how many ms  4 … name and content of each
if redis.call('EXISTS', KEYS[1]) == 0 then
  return
end
local latest
for i = 4, #ARGV, 2 do
  if not redis.call('ZSCORE', KEYS[3], ARGV[i]) then
    latest = redis.call('XADD', KEYS[2], 'MAXLEN', ARGV[2], '*', 'n', ARGV[i + 1])
    local ms, number = string.match(latest, '(%d+)-(%d+)')
    redis.call('ZADD', KEYS[3], string.format('%.0f', ms * 1000 + number), ARGV[i])
  end
end
if latest then
  redis.call('ZREMRANGEBYRANK', KEYS[3], 0, -ARGV[2] - 1)
  redis.call('PEXPIRE', KEYS[2], ARGV[3])
  redis.call('PEXPIRE', KEYS[3], ARGV[3])
  redis.call('PUBLISH', ARGV[1], latest)
end
return latest
