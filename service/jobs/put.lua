-- Put games into the queue for workers, each once. The games of one owner are one round apart.
--
-- A game of several owners gets the earliest free round of any of them, and uses up only that owner's round. A game
-- that is already waiting moves only to an earlier round or to another rank.
--
-- KEYS  1 the waiting games  2 rounds  3 list of the calls that no worker has answered
--       4 … for each rank, the most urgent first, the games that wait, and the next round of each owner
-- ARGV  for each game its rank (from 1), its owners between spaces, its id, and the version at which to handle it, '' for any
-- Returns how many games are waiting, and how many calls.
for i = 1, #ARGV, 4 do
  local rank, owners, game, version = ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3]
  local waits = redis.call('HGET', KEYS[1], game)
  local old_rank, old_version = string.match(waits or '', '^(%d+) (%d*)$')
  if old_version == '' or (version ~= '' and tonumber(old_version or 0) > tonumber(version)) then
    version = old_version
  end
  redis.call('HSET', KEYS[1], game, rank .. ' ' .. version)
  if old_rank and old_rank ~= rank then
    redis.call('ZREM', KEYS[2 + 2 * old_rank], game)
  end
  local games, next_rounds = KEYS[2 + 2 * rank], KEYS[3 + 2 * rank]
  local now = tonumber(redis.call('HGET', KEYS[2], rank) or 0)
  local payer, round
  for owner in string.gmatch(owners == '' and '-' or owners, '%S+') do
    local free = math.max(now, tonumber(redis.call('ZSCORE', next_rounds, owner) or 0))
    if not round or free < round then
      payer, round = owner, free
    end
  end
  local old_round = redis.call('ZSCORE', games, game)
  if not old_round or round < tonumber(old_round) then
    redis.call('ZADD', games, round, game)
    redis.call('ZADD', next_rounds, round + 1, payer)
  end
end
return {redis.call('HLEN', KEYS[1]), redis.call('LLEN', KEYS[3])}
