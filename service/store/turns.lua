-- Read a sorted set after a score and a member; the cost depends on the number of results, not on the size of the set.
--
-- KEYS  1 the set
-- ARGV  1 score  2 member  3 how many at most
-- Returns members and scores, alternating.
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
