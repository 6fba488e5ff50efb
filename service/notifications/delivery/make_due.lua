-- Make destinations due, unless they are due earlier, and wake a courier.
--
-- KEYS  1 due destinations  2 calls
-- ARGV  1 when, in ms  2 … destinations
for i = 2, #ARGV do redis.call('ZADD', KEYS[1], 'LT', ARGV[1], ARGV[i]) end
if redis.call('LLEN', KEYS[2]) == 0 then redis.call('RPUSH', KEYS[2], '') end
