-- Take a place for a game in each of a player's sets of games, all or none. A game that has a place keeps it.
--
-- KEYS  one set for each kind of place
-- ARGV  1 game id  2 for how many ms a place counts  3 … how many places there are of each kind
-- Returns 0, or the number of the first full set, the time in ms, and which games hold its places since when.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for i, places in ipairs(KEYS) do
  redis.call('ZREMRANGEBYSCORE', places, '-inf', string.format('%.0f', now - tonumber(ARGV[2])))
  if not redis.call('ZSCORE', places, ARGV[1]) and redis.call('ZCARD', places) >= tonumber(ARGV[i + 2]) then
    return {i, now, redis.call('ZRANGE', places, 0, -1, 'WITHSCORES')}
  end
end
for _, places in ipairs(KEYS) do
  redis.call('ZADD', places, 'NX', string.format('%.0f', now), ARGV[1])
  redis.call('PEXPIRE', places, ARGV[2])
end
return {0, now, {}}
