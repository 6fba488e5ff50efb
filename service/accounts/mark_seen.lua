-- Record the day of a player's latest request, if the player shows it.
--
-- KEYS  1 the player
-- ARGV  1 day
if redis.call('HEXISTS', KEYS[1], 'shows_seen') == 1 then redis.call('HSET', KEYS[1], 'seen', ARGV[1]) end
