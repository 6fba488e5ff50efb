-- Note that the log of a fork shares that of a game, so that it is not removed before the fork. Only sandboxes are removed.
--
-- KEYS  1 events of the game  2 pointers to archived games  3 public data of games  4 forks that share these events
-- ARGV  1 game id  2 id of the fork
-- Returns 1, or 0 if the game does not exist any more.
if redis.call('EXISTS', KEYS[1]) == 0 then
  return redis.call('HEXISTS', KEYS[2], ARGV[1])
end
if string.find(redis.call('HGET', KEYS[3], ARGV[1]) or '', '"sandbox":true', 1, true) then
  local time = redis.call('TIME')
  redis.call('ZADD', KEYS[4], string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000)), ARGV[2])
end
return 1
