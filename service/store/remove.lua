-- Remove a game that is over, with all its keys, unless it has new events or other logs share its log.
--
-- KEYS  1 events  2 forks that share them  3 deadlines  4 second looks  5 priorities  6 public data of games  7 games whose head is to be logged
--       8 finished games  9 traces  10 games that were removed
--       11 … other keys of the game, so many as ARGV 4 says; then the lists that it is in
-- ARGV  1 game id  2 version  3 in how many ms to look again while its log is shared  4 how many other keys  5 … its member of each list
-- Returns 'removed', 'moved' if the log is not at this version, or 'shared'.
local game, version, others = ARGV[1], ARGV[2], tonumber(ARGV[4])
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if not last or last[1] ~= version .. '-0' then
  return 'moved'
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if redis.call('ZCARD', KEYS[2]) > 0 then
  for i = 3, 4 do
    if redis.call('ZSCORE', KEYS[i], game) then
      redis.call('ZADD', KEYS[i], string.format('%.0f', now + tonumber(ARGV[3])), game)
    end
  end
  return 'shared'
end
redis.call('ZADD', KEYS[10], string.format('%.0f', now), game)
redis.call('DEL', KEYS[1])
for i = 11, 10 + others do
  redis.call('DEL', KEYS[i])
end
for _, i in ipairs({3, 4, 7, 8}) do
  redis.call('ZREM', KEYS[i], game)
end
for _, i in ipairs({5, 6, 9}) do
  redis.call('HDEL', KEYS[i], game)
end
for i = 11 + others, #KEYS do
  redis.call('ZREM', KEYS[i], ARGV[i - 6 - others])
end
return 'removed'
