-- Append the events of one request to a game's log, all or nothing, exactly once.
--
-- KEYS  1 events  2 requests  3 changes  4 deadlines  5 summaries  6 lobby left  7 lobby entered
-- ARGV  1 expected version  2 request key or ''  3 answer to remember  4 game id  5 deadline in ms or ''
--       6 summary or ''  7 lobby member  8 … the events
-- Answers {'remembered', answer}, {'conflict', version, entries after the expected version} or {'appended', version}.
local events, requests, changes, deadlines = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local expected, request, game = tonumber(ARGV[1]), ARGV[2], ARGV[4]

if request ~= '' then
  local answer = redis.call('HGET', requests, request)
  if answer then
    return {'remembered', answer}
  end
end

-- Versions have no gaps and nothing is ever trimmed, so the length is the version; the explicit ids are a second lock.
local version = redis.call('XLEN', events)
if version ~= expected then
  return {'conflict', version, redis.call('XRANGE', events, (expected + 1) .. '-0', '+')}
end

for i = 8, #ARGV do
  version = version + 1
  redis.call('XADD', events, version .. '-0', 'e', ARGV[i])
end
redis.call('XADD', changes, 'MAXLEN', '~', '100000', '*', 'g', game, 'v', tostring(version))
if ARGV[5] == '' then
  redis.call('ZREM', deadlines, game)
else
  redis.call('ZADD', deadlines, ARGV[5], game)
end
if ARGV[6] ~= '' then
  redis.call('HSET', KEYS[5], game, ARGV[6])
  redis.call('ZREM', KEYS[6], ARGV[7])
  redis.call('ZADD', KEYS[7], '0', ARGV[7])
end
if request ~= '' then
  redis.call('HSET', requests, request, ARGV[3])
end
return {'appended', version}
