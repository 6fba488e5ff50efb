-- Put the log of an archived game into the store again, as it was, in place of the pointer to it.
--
-- KEYS  1 events  2 pointers to archived games  3 finished games
-- ARGV  1 game id  2 the known pointer  3 the time in ms at which it counts as finished  4 … the entries
-- Returns 'back', or 'moved' if the game is not archived, or has another pointer.
if redis.call('HGET', KEYS[2], ARGV[1]) ~= ARGV[2] or redis.call('EXISTS', KEYS[1]) == 1 then
  return 'moved'
end
for i = 4, #ARGV do
  redis.call('XADD', KEYS[1], (i - 3) .. '-0', 'e', ARGV[i])
end
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('ZADD', KEYS[3], ARGV[3], ARGV[1])
return 'back'
