-- Record an attempt to deliver a message, unless the webhook or the delivery is gone. A delivery that was given up
-- in between stays so, and one that was asked for again stays due.
--
-- KEYS  1 webhooks  2 deliveries  3 pending
-- ARGV  1 webhook  2 number  3 the message with its attempts  4 time in ms of the next one, or ''
--       5 time in ms at which it was accepted, or ''   6 how often it had been asked for again when the attempt began
-- Returns the time at which the receiver last accepted a message, '' if it never did.
local name = ARGV[1] .. ' ' .. ARGV[2]
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 and redis.call('HEXISTS', KEYS[2], name) == 1 then
  redis.call('HSET', KEYS[2], name, ARGV[3])
  if (redis.call('HGET', KEYS[2], name .. ' again') or '0') == ARGV[6] then
    if ARGV[4] == '' then
      redis.call('ZREM', KEYS[3], name)
    else
      redis.call('ZADD', KEYS[3], 'XX', ARGV[4], name)
    end
  end
  if ARGV[5] ~= '' then redis.call('HSET', KEYS[2], ARGV[1] .. ' accepted', ARGV[5]) end
end
return redis.call('HGET', KEYS[2], ARGV[1] .. ' accepted') or ''
