-- Notes the rematch of a game, if the game is still there.
--
-- KEYS  1 meta   ARGV  1 the game's rematch
if redis.call('HEXISTS', KEYS[1], 'head') == 1 then redis.call('HSET', KEYS[1], 'next_game', ARGV[1]) end
