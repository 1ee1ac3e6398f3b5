-- Removes a player without games in two steps: first the token stops, later the player goes, if there is still no game.
--
-- KEYS  1 player  2 opened  3 invited  4 whether anybody reads the notices  5 notices  6 approaches
--       7 whom the player has blocked
-- ARGV  1 1 if the player has other games  2 now  3 how long after the token everything else goes
--       4 the channel on which it is published that a token was replaced   5 what is published
-- Gives 'kept', 'retired' while the token alone is gone, or 'gone'.
if redis.call('EXISTS', KEYS[1]) == 0 then return 'gone' end
local token, was, since, login, banned, name =
  unpack(redis.call('HMGET', KEYS[1], 'token', 'retired_token', 'retired_at', 'login', 'banned', 'name'))
-- The next login would make a banned or erased player anew.
if login and (banned or name == '') then return 'kept' end
if ARGV[1] == '1' or redis.call('EXISTS', KEYS[2], KEYS[3], KEYS[4]) > 0 then
  -- A call that had read the token has come to a game since: the player stays.
  if was and not token then redis.call('HSET', KEYS[1], 'token', was) end
  redis.call('HDEL', KEYS[1], 'retired_token', 'retired_at')
  return 'kept'
end
if not since then
  redis.call('HSET', KEYS[1], 'retired_token', token or '', 'retired_at', ARGV[2])
  redis.call('HDEL', KEYS[1], 'token')
  redis.call('PUBLISH', ARGV[4], ARGV[5])
  return 'retired'
end
if tonumber(ARGV[2]) - tonumber(since) < tonumber(ARGV[3]) then return 'retired' end
redis.call('UNLINK', KEYS[1], KEYS[5], KEYS[6], KEYS[7])
return 'gone'
