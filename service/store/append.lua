-- Append the events of one request to a game's log, all or nothing, exactly once.
--
-- KEYS  1 events  2 requests  3 changes  4 deadlines, or second looks if only bots play  5 the other of these two
--       6 priorities  7 notices  8 … the lists of games, one for each write
-- ARGV  1 expected version  2 hash of the event there  3 request key or ''  4 response to remember  5 game id
--       6 deadline in ms or ''  7 priority for the workers  8 '1' if there is work for them now or ''
--       9 what players should hear of or ''  10 number of writes to lists of games
--       11 … for each write a command and its two arguments; then the events
-- Returns {'remembered', response}, {'conflict', version, entries after the expected version} or {'appended', version}.
-- A conflict has no entries if the log does not continue from the event that the writer knows.
local events, requests, changes, deadlines, elsewhere = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local priorities = KEYS[6]
local expected, request, game = tonumber(ARGV[1]), ARGV[3], ARGV[5]

if request ~= '' then
  local answer = redis.call('HGET', requests, request)
  if answer then
    return {'remembered', answer}
  end
end

-- Versions have no gaps and nothing is ever trimmed, so the length is the version; the explicit ids are a second lock.
-- A log that lost its tail may have grown again with other events to the same length, so the hash is compared too.
local version = redis.call('XLEN', events)
local known = expected == 0
if not known then
  local entry = redis.call('XRANGE', events, expected .. '-0', expected .. '-0')[1]
  known = entry and string.find(entry[2][2], ARGV[2], 1, true)
end
if version ~= expected or not known then
  return {'conflict', version, known and redis.call('XRANGE', events, (expected + 1) .. '-0', '+') or {}}
end

local first_event = 11 + 3 * tonumber(ARGV[10])
for i = first_event, #ARGV do
  version = version + 1
  redis.call('XADD', events, version .. '-0', 'e', ARGV[i])
end

-- The dispatcher trims the feed behind its slowest reader; the limit is for a service that runs without one.
if ARGV[8] == '' then
  redis.call('XADD', changes, 'MAXLEN', '~', '100000', '*', 'g', game, 'v', tostring(version))
else
  redis.call('XADD', changes, 'MAXLEN', '~', '100000', '*', 'g', game, 'v', tostring(version), 'w', ARGV[7])
end
if ARGV[9] ~= '' then
  redis.call('XADD', KEYS[7], 'MAXLEN', '~', '100000', '*', 'g', game, 'v', tostring(version), 'n', ARGV[9])
end
redis.call('PUBLISH', 'plateau:topics-changed', game .. ' ' .. version)
redis.call('ZREM', elsewhere, game)
if ARGV[6] == '' then
  redis.call('ZREM', deadlines, game)
  redis.call('HDEL', priorities, game)
else
  redis.call('ZADD', deadlines, ARGV[6], game)
  redis.call('HSET', priorities, game, ARGV[7])
end
local argument = 11
for i = 8, #KEYS do
  redis.call(ARGV[argument], KEYS[i], ARGV[argument + 1], ARGV[argument + 2])
  argument = argument + 3
end
if request ~= '' then
  redis.call('HSET', requests, request, ARGV[4])
end
return {'appended', version}
