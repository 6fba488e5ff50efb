-- Take the next game out of the queue for workers: the most urgent rank first, in it the earliest round.
--
-- KEYS  1 the waiting games  2 rounds
--       3 … for each rank, the most urgent first, the games that wait, and the next round of each owner
-- ARGV  1 every how many turns a less urgent rank goes first
-- Returns the game and the version at which to handle it, '' for any; nothing if no game is waiting.
if redis.call('HLEN', KEYS[1]) == 0 then
  return nil
end
local ranks = (#KEYS - 2) / 2
local turn = redis.call('HINCRBY', KEYS[2], 'turns', 1)
local is_for_others = turn % ARGV[1] == 0
local shift = is_for_others and turn / ARGV[1] or 0
local order = {}
for i = 0, ranks - 2 do
  table.insert(order, 2 + (shift + i) % (ranks - 1))
end
table.insert(order, is_for_others and ranks or 1, 1)
for _, rank in ipairs(order) do
  local games, owners = KEYS[1 + 2 * rank], KEYS[2 + 2 * rank]
  local game, round = unpack(redis.call('ZPOPMIN', games))
  if game then
    redis.call('HSET', KEYS[2], rank, round)
    if redis.call('EXISTS', games) == 1 then
      redis.call('ZREMRANGEBYSCORE', owners, '-inf', round)
    else
      redis.call('DEL', owners)
    end
    local version = string.match(redis.call('HGET', KEYS[1], game) or '', '%d*$')
    redis.call('HDEL', KEYS[1], game)
    return {game, version}
  end
end
-- The waiting games are in no rank, because keys were deleted by hand. The sweep finds the games again.
redis.call('DEL', KEYS[1])
return nil
