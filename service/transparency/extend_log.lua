-- Append leaves to the log of heads with the root over all of them, all or nothing, unless another process was faster.
--
-- KEYS  1 roots  2 … the chunks of nodes to append to, then the games of the leaves
-- ARGV  1 size before  2 size after  3 signed root  4 number of chunks  5 … the nodes for each chunk
--       then the version of each leaf; leaves are numbered from the size before
-- Returns whether the size was the one expected.
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local size = last and string.match(last[1], '^%d+') or '0'
if size ~= ARGV[1] then
  return 0
end
local chunks = tonumber(ARGV[4])
for i = 1, chunks do
  redis.call('APPEND', KEYS[1 + i], ARGV[4 + i])
end
for i = chunks + 2, #KEYS do
  redis.call('ZADD', KEYS[i], ARGV[3 + i], string.format('%.0f', tonumber(size) + i - chunks - 2))
end
redis.call('XADD', KEYS[1], ARGV[2] .. '-0', 'r', ARGV[3])
return 1
