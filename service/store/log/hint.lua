-- Notes a hint that is given to a seat, once, if the game is still there, and tells those who follow the game.
--
-- KEYS  1 meta   ARGV  1 SEAT:VERSION  2 the channel of the game's feed
if redis.call('HEXISTS', KEYS[1], 'head') == 0 then return end
local hints = redis.call('HGET', KEYS[1], 'hints')
if not hints then
  hints = ARGV[1]
elseif not string.find(' ' .. hints .. ' ', ' ' .. ARGV[1] .. ' ', 1, true) then
  hints = hints .. ' ' .. ARGV[1]
else
  return
end
redis.call('HSET', KEYS[1], 'hints', hints)
redis.call('PUBLISH', ARGV[2], 'hints')
