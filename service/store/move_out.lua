-- Delete the log of a game that is in an archive, and leave a pointer to it, unless the game has new events.
--
-- KEYS  1 events  2 pointers to archived games  3 finished games  4 questions about the game  5 public data of games
-- ARGV  1 game id  2 version  3 the last entry of the log as it was archived  4 the pointer
--       5 the known public data of the game, '' for none  6 the same, compressed
-- Returns 'out', 'moved' if the log is not at this version with this entry, or 'asked' if a worker has a question to
-- answer.
local events, version = KEYS[1], ARGV[2]
local last = redis.call('XRANGE', events, version .. '-0', version .. '-0')[1]
if redis.call('XLEN', events) ~= tonumber(version) or not last or last[2][2] ~= ARGV[3] then
  return 'moved'
end
if redis.call('EXISTS', KEYS[4]) == 1 then
  return 'asked'
end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[4])
redis.call('DEL', events)
redis.call('ZREM', KEYS[3], ARGV[1])
if ARGV[5] ~= '' and redis.call('HGET', KEYS[5], ARGV[1]) == ARGV[5] then
  redis.call('HSET', KEYS[5], ARGV[1], ARGV[6])
end
return 'out'
