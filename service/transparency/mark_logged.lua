-- Forget that games must be logged, unless they have new events since.
--
-- KEYS  1 the games to be logged of a shard
-- ARGV  1 … a game and the version up to which it is logged, for each
for i = 1, #ARGV, 2 do
  local version = redis.call('ZSCORE', KEYS[1], ARGV[i])
  if version and tonumber(version) <= tonumber(ARGV[i + 1]) then
    redis.call('ZREM', KEYS[1], ARGV[i])
  end
end
