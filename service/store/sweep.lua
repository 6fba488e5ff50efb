-- Take the games that are due in a shard, and lease them: a game becomes due again unless an append changes its deadline.
--
-- KEYS  1 deadlines, or second looks  2 priorities
-- ARGV  1 lease in ms  2 how many at most
-- Returns, for each game that is due, its id and its priority for the workers, '' if it is not recorded.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now), 'LIMIT', 0, ARGV[2])
local answer = {}
for _, game in ipairs(due) do
  redis.call('ZADD', KEYS[1], string.format('%.0f', now + tonumber(ARGV[1])), game)
  table.insert(answer, {game, redis.call('HGET', KEYS[2], game) or ''})
end
return answer
