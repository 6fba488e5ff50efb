-- Take what is due in a shard, and lease it: what is taken comes back after a while, unless an append moved it on.
--
-- KEYS  1 deadlines, or second looks
-- ARGV  1 lease in ms  2 how many at most  3 what comes before a game's id in the key of its events  4 what comes after it
-- Answers, for each game that is due, its id, the version of its log, and the time in ms.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now), 'LIMIT', 0, ARGV[2])
local answer = {}
for _, game in ipairs(due) do
  local version = redis.call('XLEN', ARGV[3] .. game .. ARGV[4])
  if version == 0 then
    redis.call('ZREM', KEYS[1], game)
  else
    redis.call('ZADD', KEYS[1], string.format('%.0f', now + tonumber(ARGV[1])), game)
    table.insert(answer, {game, version, now})
  end
end
return answer
