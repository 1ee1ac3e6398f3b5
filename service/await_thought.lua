-- Lets a game wait for a thought of its bot: in the shortest of the lines of those for whom it is.
--
-- KEYS  1 who has a line, by turn   ARGV  1 game and version   2 what the names of lines begin with   then for whom
-- A game that waits already keeps its place.
local whose, shortest
for i = 3, #ARGV do
  local line = ARGV[2] .. ARGV[i]
  local length = redis.call('LPOS', line, ARGV[1]) and -1 or redis.call('LLEN', line)
  if not shortest or length < shortest then whose, shortest = ARGV[i], length end
end
if shortest >= 0 then redis.call('RPUSH', ARGV[2] .. whose, ARGV[1]) end
local last = redis.call('ZREVRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2] or 0
redis.call('ZADD', KEYS[1], 'NX', last + 1, whose)
