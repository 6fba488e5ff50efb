-- Store a phrase of a game, if the game is at the version, and the last phrase is the one, by which it was checked. Wake
-- the followers of the phrases.
--
-- KEYS  1 events  2 phrases  3 pointers to archived games
-- ARGV  1 version  2 the last phrase, '' for none  3 the phrase  4 how many are stored  5 for how many ms
--       6 channel  7 the id of the phrase  8 game id
-- Returns 'written', or 'moved' if the game or the phrases have changed since.
local events, phrases, said = KEYS[1], KEYS[2], ARGV[3]

local last = redis.call('LINDEX', phrases, -1) or ''
if last == said then
  return 'written'
end
local entry = redis.call('XREVRANGE', events, '+', '-', 'COUNT', 1)[1]
local version = string.match(entry and entry[1] or redis.call('HGET', KEYS[3], ARGV[8]) or '0', '^%d+')
if last ~= ARGV[2] or tonumber(version) ~= tonumber(ARGV[1]) then
  return 'moved'
end
redis.call('RPUSH', phrases, said)
redis.call('LTRIM', phrases, -tonumber(ARGV[4]), -1)
redis.call('PEXPIRE', phrases, ARGV[5])
redis.call('PUBLISH', ARGV[6], ARGV[7])
return 'written'
