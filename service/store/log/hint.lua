-- Notes a hint that is given to a seat, once, and tells those who follow the game.
-- Returns 0 and notes nothing if the game has gone on, or is gone: 1 otherwise.
--
-- KEYS  1 meta   ARGV  1 the seat  2 the version it asks about  3 the channel of the game's feed
local head = redis.call('HGET', KEYS[1], 'head')
if not head or string.match(head, '^%d+') ~= ARGV[2] then return 0 end
local hint = ARGV[1] .. ':' .. ARGV[2]
local hints = redis.call('HGET', KEYS[1], 'hints')
if hints and string.find(' ' .. hints .. ' ', ' ' .. hint .. ' ', 1, true) then return 1 end
redis.call('HSET', KEYS[1], 'hints', hints and hints .. ' ' .. hint or hint)
redis.call('PUBLISH', ARGV[3], 'hints')
return 1
