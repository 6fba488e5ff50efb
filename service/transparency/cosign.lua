-- Store the co-signature of a witness under a root, unless there are too many of unlisted witnesses.
--
-- KEYS  1 the co-signatures of the root  2 the sizes of co-signed roots
-- ARGV  1 size  2 witness  3 signature  4 how many unlisted witnesses are allowed  5 … the listed witnesses
-- Returns whether the co-signature is stored now.
if redis.call('HEXISTS', KEYS[1], ARGV[2]) == 1 then
  return 1
end
local others, is_listed = redis.call('HLEN', KEYS[1]), false
for i = 5, #ARGV do
  others = others - redis.call('HEXISTS', KEYS[1], ARGV[i])
  is_listed = is_listed or ARGV[i] == ARGV[2]
end
if not is_listed and others >= tonumber(ARGV[4]) then
  return 0
end
redis.call('HSET', KEYS[1], ARGV[2], ARGV[3])
redis.call('ZADD', KEYS[2], ARGV[1], ARGV[1])
return 1
