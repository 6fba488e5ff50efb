-- Append the events of one request to a game's log, all or nothing, exactly once.
--
-- KEYS  the 11 that are named below, then the key of each write to a list of games, a plan or phrases.
-- ARGV  the number of named values, of these writes, and of entries; then the name and value of each named value that
--       is set; then for each write a command and its two arguments; then the entries.
-- Named values:
--   expected           the version that the entries follow
--   head               the hash of the event there: 64 hex digits, and then the same as 32 bytes
--   request, response  the key of the request and its response, which is stored for `remembered_ms`
--   game               the id of the game
--   deadline           when something is due, in ms
--   priority           how urgent the work for the workers is, and for which players
--   work               '1' if there is work for them now
--   notices            notices to players
--   planned_notices    the notices instead if a seat to act has a plan
--   to_act, lease_ms   the seats of players to act then, and after how many ms their plans are due again if work is lost
--   seat, plan         the seat that acts by its plan, and that plan
--   shards             the number of shards among which the writer divides new games; only for a new game
--   shared, shared_events  the number of the entry that stands for many events, and for how many
-- Returns {'appended', version}, {'remembered', response}, {'conflict', version, entries after the expected version},
-- {'replanned'} if the plan has changed, {'grown'} if a new game belongs to another shard now, or {'archived'} if the log
-- must be brought back first. A conflict has no entries if the log does not continue from the writer's last event.
local events, answer, changes, deadlines, other_deadlines, priorities, notices_feed, plans, division, archived, gone = unpack(KEYS, 1, 11)
local number_of_values, number_of_writes, number_of_entries = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local named = {}
for i = 4, 2 + 2 * number_of_values, 2 do
  named[ARGV[i]] = ARGV[i + 1]
end
local first_write = 4 + 2 * number_of_values
local first_entry = first_write + 3 * number_of_writes
local expected, request, game = tonumber(named.expected), named.request, named.game

if request then
  local stored = redis.call('GET', answer)
  if stored then
    return {'remembered', stored}
  end
end

-- Versions have no gaps and logs are never trimmed, so the length is the version, except for an entry of form 2, which
-- stands for many events. The explicit ids are a second lock. A log that lost its tail may have grown again to the same
-- length with other events, so the hash is compared too.
local version = redis.call('XLEN', events)
if version ~= expected and version > 0 then
  for i, entry in ipairs(redis.call('XRANGE', events, '-', '+', 'COUNT', 15)) do
    if string.byte(entry[2][2]) == 2 then
      version = version + tonumber(string.match(entry[1], '^%d+')) - i
    end
  end
end
local continues = expected == 0
local pointer = version == 0 and redis.call('HGET', archived, game)
if pointer then
  -- Nothing can be appended to an archived log, but what is derived from it can be written.
  if number_of_entries > 0 or string.match(pointer, '^%d+ %x+') ~= expected .. ' ' .. string.sub(named.head, 1, 64) then
    return {'archived'}
  end
  version, continues = expected, true
elseif not continues then
  local entry = redis.call('XRANGE', events, expected .. '-0', expected .. '-0')[1]
  continues = entry and string.sub(entry[2][2], 6, 37) == string.sub(named.head, 65) -- where every form has the hash
end
if version ~= expected or not continues or expected == 0 and redis.call('ZSCORE', gone, game) then
  return {'conflict', version, continues and redis.call('XRANGE', events, (expected + 1) .. '-0', '+') or {}}
end

if expected == 0 and tonumber(redis.call('GET', division) or 0) > tonumber(named.shards) then
  return {'grown'}
end

if named.seat and redis.call('HGET', plans, named.seat) ~= named.plan then
  return {'replanned'}
end

for i = 1, number_of_entries do
  version = version + (i == tonumber(named.shared) and tonumber(named.shared_events) or 1)
  redis.call('XADD', events, version .. '-0', 'e', ARGV[first_entry + i - 1])
end
-- 'SILENCE' is not a command of Redis: it removes the phrases of one player from those of a game.
for i = 0, number_of_writes - 1 do
  local key, command, first, second = KEYS[12 + i], unpack(ARGV, first_write + 3 * i, first_write + 3 * i + 2)
  if command == 'SILENCE' then
    for _, phrase in ipairs(redis.call('LRANGE', key, 0, -1)) do
      if cjson.decode(phrase).player == first then
        redis.call('LREM', key, 0, phrase)
      end
    end
  else
    redis.call(command, key, first, second)
  end
end

-- The plan of a seat to act is work for a worker now. It gets a deadline soon, in case that work is lost.
local deadline, has_work, notices = named.deadline, named.work, named.notices
for seat in string.gmatch(named.to_act or '', '%d+') do
  if redis.call('HEXISTS', plans, seat) == 1 then
    local time = redis.call('TIME')
    local again = time[1] * 1000 + math.floor(time[2] / 1000) + tonumber(named.lease_ms)
    if not deadline or again < tonumber(deadline) then
      deadline = string.format('%.0f', again)
    end
    has_work, notices = true, named.planned_notices
  end
end

-- The dispatcher trims the feed behind its slowest reader; the limit is for a service that runs without one.
if has_work then
  redis.call('XADD', changes, 'MAXLEN', '~', '100000', '*', 'g', game, 'v', tostring(version), 'w', named.priority)
else
  redis.call('XADD', changes, 'MAXLEN', '~', '100000', '*', 'g', game, 'v', tostring(version))
end
if notices then
  redis.call('XADD', notices_feed, 'MAXLEN', '~', '100000', '*', 'g', game, 'v', tostring(version), 'n', notices)
end
redis.call('PUBLISH', 'plateau:topic:' .. game, version)
redis.call('ZREM', other_deadlines, game)
if not deadline then
  redis.call('ZREM', deadlines, game)
  redis.call('HDEL', priorities, game)
else
  redis.call('ZADD', deadlines, deadline, game)
  redis.call('HSET', priorities, game, named.priority)
end
if request then
  redis.call('SET', answer, named.response, 'PX', named.remembered_ms)
end
return {'appended', version}
