-- Erases a player: name, token, notices and blocks. What stays is an id for games, what kind of player
-- it was, and when a program had which of its versions: the ratings of others follow from that.
--
-- KEYS  1 player  2 notices  3 approaches  4 whom the player has blocked  5 whether anybody reads the notices
-- ARGV  1 what stands in the place of an erased player's token
--       2 the channel on which it is published that a token was replaced   3 what is published
-- Gives whether there is such a player.
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], 'name', '', 'token', ARGV[1], 'settling', 1)
redis.call('HDEL', KEYS[1], 'banned', 'retired_token', 'retired_at', 'program')
-- Without the last key no new notice is kept: the player leaves games after this, which makes some.
redis.call('UNLINK', KEYS[2], KEYS[3], KEYS[4], KEYS[5])
redis.call('PUBLISH', ARGV[2], ARGV[3])
return 1
