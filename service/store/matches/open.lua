-- Notes that a game of a match is opened now, if the match runs.
--
-- KEYS  1 the match   ARGV  1 the field of the game
-- Gives whether the match runs, so that the game may be opened.
if redis.call('HGET', KEYS[1], 'state') ~= 'running' then return 0 end
redis.call('HSETNX', KEYS[1], ARGV[1], '')
return 1
