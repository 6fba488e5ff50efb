-- Put games into the line for workers, each once; the games of one owner stand one round apart.
--
-- KEYS  1 line  2 rounds  3 list of the calls that no worker has answered
--       4 … for each rank, the most urgent first, the games that wait, and the next round of each owner
-- ARGV  for each game its rank (from 1), its owner, its id, and the version at which to see to it, '' for any
-- Answers how many games wait, and how many calls.
for i = 1, #ARGV, 4 do
  local rank, owner, game, version = ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3]
  local waits = redis.call('HGET', KEYS[1], game)
  local old_rank, old_version = string.match(waits or '', '^(%d+) (%d*)$')
  if old_version == '' or (version ~= '' and tonumber(old_version or 0) > tonumber(version)) then
    version = old_version
  end
  redis.call('HSET', KEYS[1], game, rank .. ' ' .. version)
  if old_rank ~= rank then
    if old_rank then
      redis.call('ZREM', KEYS[2 + 2 * old_rank], game)
    end
    local games, owners = KEYS[2 + 2 * rank], KEYS[3 + 2 * rank]
    local now = tonumber(redis.call('HGET', KEYS[2], rank) or 0)
    local round = math.max(now, tonumber(redis.call('ZSCORE', owners, owner) or 0))
    redis.call('ZADD', games, round, game)
    redis.call('ZADD', owners, round + 1, owner)
  end
end
return {redis.call('HLEN', KEYS[1]), redis.call('LLEN', KEYS[3])}
