-- Notes a hint that is given to a seat, once, if the game is still there.
--
-- KEYS  1 meta   ARGV  1 SEAT:VERSION
if redis.call('HEXISTS', KEYS[1], 'head') == 0 then return end
local hints = redis.call('HGET', KEYS[1], 'hints')
if not hints then
  redis.call('HSET', KEYS[1], 'hints', ARGV[1])
elseif not string.find(' ' .. hints .. ' ', ' ' .. ARGV[1] .. ' ', 1, true) then
  redis.call('HSET', KEYS[1], 'hints', hints .. ' ' .. ARGV[1])
end
