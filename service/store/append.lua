-- Append the events of one request to a game's log, all or nothing, exactly once.
--
-- KEYS  11 that have a name below, and then the lists of games, the plans and the phrases, one for each write.
-- ARGV  the number of named values, of writes to lists, plans and phrases, and of entries; then each named value after its
--       name, only those that there are; then for each write a command and its two arguments; then the entries.
-- Named values:
--   expected           the version that the entries follow
--   head               the hash of the event there: 64 hex digits, and then the same as 32 bytes
--   request, response  the key of the request and what to answer it, which is remembered for `remembered_ms`
--   game               the id of the game
--   deadline           when something is due, in ms
--   priority           how urgent the work of the workers is, and for whom
--   work               '1' if there is work for them now
--   notices            notices to players
--   planned_notices    the same if a plan is carried out for the seat to act
--   to_act, lease_ms   the seats of players to act then, and in how many ms their plans are due again if the work is lost
--   seat, plan         the seat that acts by its plan, and the plan that it acts by
--   shards             among how many shards the writer divides new games, with the first events of one
--   shared, shared_events  which of the entries stands for many events, and for how many
-- Returns {'remembered', response}, {'conflict', version, entries after the expected version}, {'replanned'} if the
-- plan to act by is no longer there, {'grown'} if the game is to begin elsewhere now, {'archived'} if its log is elsewhere
-- and must be brought back first, or {'appended', version}.
-- A conflict has no entries if the log does not continue from the event that the writer knows.
local events, answer, changes, deadlines, elsewhere, priorities, notices_feed, plans, division, archived, gone = unpack(KEYS, 1, 11)
local number_of_values, number_of_writes, number_of_entries = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local given = {}
for i = 4, 2 + 2 * number_of_values, 2 do
  given[ARGV[i]] = ARGV[i + 1]
end
local first_write = 4 + 2 * number_of_values
local first_entry = first_write + 3 * number_of_writes
local expected, request, game = tonumber(given.expected), given.request, given.game

if request then
  local kept = redis.call('GET', answer)
  if kept then
    return {'remembered', kept}
  end
end

-- Versions have no gaps and nothing is ever trimmed, so the length is the version, but for the events that one entry stands for: its form is 2.
-- The explicit ids are a second lock. A log that lost its tail may have grown again with other events to the same length, so the hash is compared too.
local version = redis.call('XLEN', events)
if version ~= expected and version > 0 then
  for i, entry in ipairs(redis.call('XRANGE', events, '-', '+', 'COUNT', 15)) do
    if string.byte(entry[2][2]) == 2 then
      version = version + tonumber(string.match(entry[1], '^%d+')) - i
    end
  end
end
local known = expected == 0
local pointer = version == 0 and redis.call('HGET', archived, game)
if pointer then
  -- Nothing can be appended to a log that is in the archive, but what follows from it can be written.
  if number_of_entries > 0 or string.match(pointer, '^%d+ %x+') ~= expected .. ' ' .. string.sub(given.head, 1, 64) then
    return {'archived'}
  end
  version, known = expected, true
elseif not known then
  local entry = redis.call('XRANGE', events, expected .. '-0', expected .. '-0')[1]
  known = entry and string.sub(entry[2][2], 6, 37) == string.sub(given.head, 65) -- where every form has the hash
end
if version ~= expected or not known or expected == 0 and redis.call('ZSCORE', gone, game) then
  return {'conflict', version, known and redis.call('XRANGE', events, (expected + 1) .. '-0', '+') or {}}
end

if expected == 0 and tonumber(redis.call('GET', division) or 0) > tonumber(given.shards) then
  return {'grown'}
end

if given.seat and redis.call('HGET', plans, given.seat) ~= given.plan then
  return {'replanned'}
end

for i = 1, number_of_entries do
  version = version + (i == tonumber(given.shared) and tonumber(given.shared_events) or 1)
  redis.call('XADD', events, version .. '-0', 'e', ARGV[first_entry + i - 1])
end
-- 'SILENCE' is no command of Redis: it removes from the phrases of a game those of one player.
for i = 0, number_of_writes - 1 do
  local key, command, first, second = KEYS[12 + i], unpack(ARGV, first_write + 3 * i, first_write + 3 * i + 2)
  if command == 'SILENCE' then
    for _, said in ipairs(redis.call('LRANGE', key, 0, -1)) do
      if cjson.decode(said).player == first then
        redis.call('LREM', key, 0, said)
      end
    end
  else
    redis.call(command, key, first, second)
  end
end

-- A plan for a seat to act is work for a worker now, and is due soon in case that work is lost.
local deadline, has_work, notices = given.deadline, given.work, given.notices
for seat in string.gmatch(given.to_act or '', '%d+') do
  if redis.call('HEXISTS', plans, seat) == 1 then
    local time = redis.call('TIME')
    local again = time[1] * 1000 + math.floor(time[2] / 1000) + tonumber(given.lease_ms)
    if not deadline or again < tonumber(deadline) then
      deadline = string.format('%.0f', again)
    end
    has_work, notices = true, given.planned_notices
  end
end

-- The dispatcher trims the feed behind its slowest reader; the limit is for a service that runs without one.
if has_work then
  redis.call('XADD', changes, 'MAXLEN', '~', '100000', '*', 'g', game, 'v', tostring(version), 'w', given.priority)
else
  redis.call('XADD', changes, 'MAXLEN', '~', '100000', '*', 'g', game, 'v', tostring(version))
end
if notices then
  redis.call('XADD', notices_feed, 'MAXLEN', '~', '100000', '*', 'g', game, 'v', tostring(version), 'n', notices)
end
redis.call('PUBLISH', 'plateau:topic:' .. game, version)
redis.call('ZREM', elsewhere, game)
if not deadline then
  redis.call('ZREM', deadlines, game)
  redis.call('HDEL', priorities, game)
else
  redis.call('ZADD', deadlines, deadline, game)
  redis.call('HSET', priorities, game, given.priority)
end
if request then
  redis.call('SET', answer, given.response, 'PX', given.remembered_ms)
end
return {'appended', version}
