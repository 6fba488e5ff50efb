-- Write the plan of a seat, if the game and the plan are still as the writer knows them.
--
-- KEYS  1 events  2 plans  3 changes  4 deadlines  5 priorities  6 notices
-- ARGV  1 version  2 seat  3 the known plan, '' for none  4 the new plan, '' for none
--       5 for how many ms the plans of the game are stored  6 game id
--       7 what is due: '' changes nothing, 'work' is work for a worker now, 'none' is nothing, otherwise a time in ms
--       8 priority for the workers  9 after how many ms the work is due again if it is lost
--       10 the notice to the player or ''  11 the version at which that happened
-- Returns 'written', 'moved' if the game is at another version, or 'changed' if the plan is not the known one.
local events, plans, changes, deadlines, priorities = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local version, seat, known, plan = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local game, due, priority = ARGV[6], ARGV[7], ARGV[8]

local last = redis.call('XREVRANGE', events, '+', '-', 'COUNT', 1)[1]
if (last and last[1] or '0-0') ~= version .. '-0' then
  return 'moved'
end
if (redis.call('HGET', plans, seat) or '') ~= known then
  return 'changed'
end
if plan == '' then
  redis.call('HDEL', plans, seat)
elseif plan ~= known then
  redis.call('HSET', plans, seat, plan)
  redis.call('PEXPIRE', plans, ARGV[5])
end
if due == 'none' then
  redis.call('ZREM', deadlines, game)
  redis.call('HDEL', priorities, game)
elseif due == 'work' then
  local time = redis.call('TIME')
  local again = time[1] * 1000 + math.floor(time[2] / 1000) + tonumber(ARGV[9])
  local deadline = redis.call('ZSCORE', deadlines, game)
  if not deadline or again < tonumber(deadline) then
    redis.call('ZADD', deadlines, string.format('%.0f', again), game)
  end
  redis.call('HSET', priorities, game, priority)
  redis.call('XADD', changes, 'MAXLEN', '~', '100000', '*', 'g', game, 'v', version, 'w', priority)
elseif due ~= '' then
  redis.call('ZADD', deadlines, due, game)
  redis.call('HSET', priorities, game, priority)
end
if ARGV[10] ~= '' then
  redis.call('XADD', KEYS[6], 'MAXLEN', '~', '100000', '*', 'g', game, 'v', ARGV[11], 'n', ARGV[10])
end
return 'written'
