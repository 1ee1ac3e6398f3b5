-- Gives the result of a game its number, once. Numbers grow, also after a loss: they are never below the time.
--
-- KEYS  1 the results by number   2 the last number
-- ARGV  1 game   2 milliseconds since 1970   3 the channel on which the number is published
if redis.call('ZSCORE', KEYS[1], ARGV[1]) then return end
local number = math.max((tonumber(redis.call('GET', KEYS[2]) or 0) or 0) + 1, tonumber(ARGV[2]))
local text = string.format('%d', number)
redis.call('SET', KEYS[2], text)
redis.call('ZADD', KEYS[1], text, ARGV[1])
redis.call('PUBLISH', ARGV[3], text)
