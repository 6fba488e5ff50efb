-- Add a token of a player, only while the token that makes it is valid, so that none outlives its revocation.
--
-- KEYS  1 the player  2 the tokens of the player
-- ARGV  1 digest  2 token  3 how many there can be  4 beginning of the digest of the token that makes it, or ""
-- Returns 1, 0 if there is no such player or token, or -1 if there are too many.
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
if redis.call('HLEN', KEYS[2]) >= tonumber(ARGV[3]) then return -1 end
local made_by = ARGV[4] == ''
for _, digest in ipairs(made_by and {} or redis.call('HKEYS', KEYS[2])) do
  made_by = made_by or digest:sub(1, #ARGV[4]) == ARGV[4]
end
if not made_by then return 0 end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
return 1
