-- Write fields of a player, only if the player exists, so that no data of a deleted player comes back.
--
-- KEYS  1 the player
-- ARGV  for each field, its name and value; "" removes it
-- Returns whether the player exists.
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
for i = 1, #ARGV, 2 do
  if ARGV[i + 1] == '' then
    redis.call('HDEL', KEYS[1], ARGV[i])
  else
    redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1])
  end
end
return 1
