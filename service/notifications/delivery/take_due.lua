-- Take destinations, and lease them: first those whose lease has ended, then those that are due and not leased.
--
-- KEYS  1 due destinations  2 its leases  3 calls
-- ARGV  1 lease in ms  2 how many at most
-- Returns the end of the lease, in how many ms another destination is due (-1: none), and the destinations.
-- If there may be more to take, another courier is woken.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local ends, most = string.format('%.0f', now + tonumber(ARGV[1])), tonumber(ARGV[2])
local answer = {ends, -1}

local function take(destination)
  redis.call('ZREM', KEYS[1], destination)
  redis.call('ZADD', KEYS[2], ends, destination)
  table.insert(answer, destination)
end

now = string.format('%.0f', now)
for _, destination in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now, 'LIMIT', 0, most)) do
  take(destination)
end
local leased = redis.call('ZCARD', KEYS[2])
for _, destination in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, most + leased)) do
  if #answer >= most + 2 then break end
  if not redis.call('ZSCORE', KEYS[2], destination) then take(destination) end
end
if #answer >= most + 2 then
  if redis.call('LLEN', KEYS[3]) == 0 then redis.call('RPUSH', KEYS[3], '') end
else
  local later = redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. now, '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
  if later[2] then answer[2] = later[2] - now end
end
return answer
