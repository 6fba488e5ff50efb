-- Count one more against a rate, if there is room: a bucket that refills steadily and can be emptied at once.
--
-- KEYS  1 the time in ms at which the bucket is full again
-- ARGV  1 how much the bucket holds  2 in how many ms it fills  3 '1' to count, '' only to check whether there is room
-- Returns 0, or in how many ms there is room; nothing was counted then.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local period = tonumber(ARGV[2])
local full = math.max(tonumber(redis.call('GET', KEYS[1]) or now), now) + period / tonumber(ARGV[1])
if full - now > period then
  return math.max(1, math.ceil(full - now - period))
end
if ARGV[3] ~= '' then
  redis.call('SET', KEYS[1], string.format('%.3f', full), 'PX', math.max(1, math.ceil(full - now)))
end
return 0
