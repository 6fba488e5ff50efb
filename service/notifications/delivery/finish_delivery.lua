-- End the lease of a destination, unless another courier holds it now.
--
-- KEYS  1 due destinations  2 its leases  3 calls
-- ARGV  1 destination  2 end of the lease in ms  3 when it is due again, in ms, or ''
-- Returns whether the lease was held. If the destination is due, now or later, a courier is woken.
if tonumber(redis.call('ZSCORE', KEYS[2], ARGV[1]) or 0) ~= tonumber(ARGV[2]) then return 0 end
redis.call('ZREM', KEYS[2], ARGV[1])
if ARGV[3] ~= '' then redis.call('ZADD', KEYS[1], 'LT', ARGV[3], ARGV[1]) end
if redis.call('ZSCORE', KEYS[1], ARGV[1]) and redis.call('LLEN', KEYS[3]) == 0 then redis.call('RPUSH', KEYS[3], '') end
return 1
