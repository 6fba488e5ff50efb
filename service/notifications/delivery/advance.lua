-- Move the cursor of a destination from one notice to another.
--
-- KEYS  1 the destinations of the player
-- ARGV  1 field of the destination  2 cursor before  3 cursor after
-- Returns 1, or 0 if the cursor is elsewhere.
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1
