-- Append the events of one request to a game's log, all or nothing, exactly once.
--
-- KEYS  1 events  2 answer to the request  3 changes  4 deadlines, or second looks if only bots play  5 the other of these two
--       6 priorities  7 notices  8 plans
--       9 among how many shards new games are divided, once that has grown
--       10 pointers to archived games
--       11 games that were removed
--       12 … the lists of games, the plans and the phrases, one for each write
-- ARGV  1 expected version  2 hash of the event there: 64 hex digits, and then the same as 32 bytes  3 request key or ''  4 response to remember  5 game id
--       6 deadline in ms or ''  7 priority for the workers  8 '1' if there is work for them now or ''
--       9 what players should hear of or ''  10 the same if a plan is carried out for the seat to act
--       11 the seats of players to act then  12 in how many ms their plans are due again if the work is lost
--       13 the seat that acts by its plan, or ''  14 the plan that it acts by
--       15 for how many ms to remember the response
--       16 among how many shards the writer divides new games
--       17 which of the entries stands for many events, or ''  18 for how many
--       19 number of writes to lists, plans and phrases  20 … for each write a command and its two arguments; then the entries
-- Returns {'remembered', response}, {'conflict', version, entries after the expected version}, {'replanned'} if the
-- plan to act by is no longer there, {'grown'} if the game is to begin elsewhere now, {'archived'} if its log is elsewhere
-- and must be brought back first, or {'appended', version}.
-- A conflict has no entries if the log does not continue from the event that the writer knows.
local events, answer, changes, deadlines, elsewhere = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local priorities, plans = KEYS[6], KEYS[8]
local expected, request, game = tonumber(ARGV[1]), ARGV[3], ARGV[5]

if request ~= '' then
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
local first_entry = 20 + 3 * tonumber(ARGV[19])
local pointer = version == 0 and redis.call('HGET', KEYS[10], game)
if pointer then
  -- Nothing can be appended to a log that is in the archive, but what follows from it can be written.
  if first_entry <= #ARGV or string.match(pointer, '^%d+ %x+') ~= ARGV[1] .. ' ' .. string.sub(ARGV[2], 1, 64) then
    return {'archived'}
  end
  version, known = expected, true
elseif not known then
  local entry = redis.call('XRANGE', events, expected .. '-0', expected .. '-0')[1]
  known = entry and string.sub(entry[2][2], 6, 37) == string.sub(ARGV[2], 65) -- where every form has the hash
end
if version ~= expected or not known or expected == 0 and redis.call('ZSCORE', KEYS[11], game) then
  return {'conflict', version, known and redis.call('XRANGE', events, (expected + 1) .. '-0', '+') or {}}
end

if version == 0 and tonumber(redis.call('GET', KEYS[9]) or 0) > tonumber(ARGV[16]) then
  return {'grown'}
end

if ARGV[13] ~= '' and redis.call('HGET', plans, ARGV[13]) ~= ARGV[14] then
  return {'replanned'}
end

for i = first_entry, #ARGV do
  version = version + (i - first_entry + 1 == tonumber(ARGV[17]) and tonumber(ARGV[18]) or 1)
  redis.call('XADD', events, version .. '-0', 'e', ARGV[i])
end
-- 'SILENCE' is no command of Redis: it removes from the phrases of a game those of one player.
local argument = 20
for i = 12, #KEYS do
  if ARGV[argument] == 'SILENCE' then
    for _, said in ipairs(redis.call('LRANGE', KEYS[i], 0, -1)) do
      if cjson.decode(said).player == ARGV[argument + 1] then
        redis.call('LREM', KEYS[i], 0, said)
      end
    end
  else
    redis.call(ARGV[argument], KEYS[i], ARGV[argument + 1], ARGV[argument + 2])
  end
  argument = argument + 3
end

-- A plan for a seat to act is work for a worker now, and is due soon in case that work is lost.
local deadline, has_work, notices = ARGV[6], ARGV[8] ~= '', ARGV[9]
for seat in string.gmatch(ARGV[11], '%d+') do
  if redis.call('HEXISTS', plans, seat) == 1 then
    local time = redis.call('TIME')
    local again = time[1] * 1000 + math.floor(time[2] / 1000) + tonumber(ARGV[12])
    if deadline == '' or again < tonumber(deadline) then
      deadline = string.format('%.0f', again)
    end
    has_work, notices = true, ARGV[10]
  end
end

-- The dispatcher trims the feed behind its slowest reader; the limit is for a service that runs without one.
if has_work then
  redis.call('XADD', changes, 'MAXLEN', '~', '100000', '*', 'g', game, 'v', tostring(version), 'w', ARGV[7])
else
  redis.call('XADD', changes, 'MAXLEN', '~', '100000', '*', 'g', game, 'v', tostring(version))
end
if notices ~= '' then
  redis.call('XADD', KEYS[7], 'MAXLEN', '~', '100000', '*', 'g', game, 'v', tostring(version), 'n', notices)
end
redis.call('PUBLISH', 'plateau:topic:' .. game, version)
redis.call('ZREM', elsewhere, game)
if deadline == '' then
  redis.call('ZREM', deadlines, game)
  redis.call('HDEL', priorities, game)
else
  redis.call('ZADD', deadlines, deadline, game)
  redis.call('HSET', priorities, game, ARGV[7])
end
if request ~= '' then
  redis.call('SET', answer, ARGV[4], 'PX', ARGV[15])
end
return {'appended', version}
