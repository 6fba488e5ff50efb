-- Read on in a sorted set after a score and a member, at a cost that depends on the number asked for, not on the set's.
--
-- KEYS  1 the set
-- ARGV  1 score  2 member  3 how many at most
-- Answers members and scores, in turn.
local low, high = redis.call('ZCOUNT', KEYS[1], '-inf', '(' .. ARGV[1]), redis.call('ZCOUNT', KEYS[1], '-inf', ARGV[1])
while low < high do
  local middle = math.floor((low + high) / 2)
  if redis.call('ZRANGE', KEYS[1], middle, middle)[1] <= ARGV[2] then
    low = middle + 1
  else
    high = middle
  end
end
return redis.call('ZRANGE', KEYS[1], low, low + ARGV[3] - 1, 'WITHSCORES')
