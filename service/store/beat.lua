-- Read the heartbeat of the web processes and the downtimes, and beat if requested; a beat after a long silence records a
-- downtime.
--
-- KEYS  1 the last beat  2 the downtimes, by their ends
-- ARGV  1 "beat" or "listen"  2 the longest silence that is no downtime, in ms  3 how many downtimes are stored
-- Returns the ms since the last beat, the downtimes, and the time in ms.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local last = tonumber(redis.call('GET', KEYS[1]) or now)
if ARGV[1] == 'beat' then
  redis.call('SET', KEYS[1], string.format('%.0f', now))
  if now - last > tonumber(ARGV[2]) then
    redis.call('ZADD', KEYS[2], string.format('%.0f', now), string.format('%.0f-%.0f', last, now))
    redis.call('ZREMRANGEBYRANK', KEYS[2], 0, -1 - tonumber(ARGV[3]))
  end
end
return {now - last, redis.call('ZRANGE', KEYS[2], 0, -1), now}
