-- Add messages to the deliveries of a webhook, due at once, and move its cursor on, if the webhook is still there.
--
-- KEYS  1 webhooks  2 destinations  3 deliveries  4 pending
-- ARGV  1 webhook  2 destination  3 cursor before ('': any)  4 cursor after ('': leave it)  5 time in ms  6 how many are kept
--       7 … the messages
-- Returns the number of the last delivery; -1 if the webhook is not there, or its cursor is elsewhere.
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return -1 end
local cursor = redis.call('HGET', KEYS[2], ARGV[2])
if not cursor or (ARGV[3] ~= '' and cursor ~= ARGV[3]) then return -1 end
if ARGV[4] ~= '' then redis.call('HSET', KEYS[2], ARGV[2], ARGV[4]) end
local number = tonumber(redis.call('HGET', KEYS[3], ARGV[1] .. ' last') or 0)
for i = 7, #ARGV do
  number = number + 1
  local name = string.format('%s %d', ARGV[1], number)
  local displaced = string.format('%s %d', ARGV[1], number - ARGV[6])
  redis.call('HSET', KEYS[3], name, ARGV[i])
  redis.call('ZADD', KEYS[4], ARGV[5], name)
  redis.call('HDEL', KEYS[3], displaced, displaced .. ' again')
  redis.call('ZREM', KEYS[4], displaced)
end
redis.call('HSET', KEYS[3], ARGV[1] .. ' last', number)
return number
