-- Make a delivery of a webhook pending, and begin a new series of attempts.
--
-- KEYS  1 the webhooks of the player  2 the destinations of the player  3 the deliveries  4 the pending deliveries
-- ARGV  1 webhook id  2 field of its destination  3 number of the delivery  4 time in ms at which it is due
-- Returns 1, 0 if the webhook is disabled, or -1 if there is no such webhook or delivery.
local name = ARGV[1] .. ' ' .. ARGV[3]
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 or redis.call('HEXISTS', KEYS[3], name) == 0 then return -1 end
if redis.call('HEXISTS', KEYS[2], ARGV[2]) == 0 then return 0 end
redis.call('ZADD', KEYS[4], ARGV[4], name)
local times = tonumber(redis.call('HGET', KEYS[3], name .. ' again') or '') or 0
redis.call('HSET', KEYS[3], name .. ' again', times + 1)
return 1
