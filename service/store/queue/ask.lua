-- Lets a player wait with a queue ticket: the one they have if it says the same, else a new one in its place.
--
-- KEYS  1 the new ticket  2 the ticket of each player  3 those who wait for the edition, by when they last asked
--       4 the editions, by when their next wave is
-- ARGV  1 the new ticket's id  2 player  3 edition  4 wishes  5 now  6 when the next wave is at the latest
--       7 seconds to keep a ticket  8 what the names of tickets begin with  9 the same of those who wait for an edition
--       10 the same of the channels of tickets  11 1 if the call has a key   then pairs for the new ticket's hash
-- Gives the id of the ticket. If a ticket with the new id is there already, nothing changes: the call is a repeat. Nor
-- does it for a player who has just been matched. Of a call with a key that gave an earlier ticket, it is noted which.
if redis.call('EXISTS', KEYS[1]) == 1 then return redis.call('HGET', KEYS[1], 'is') or ARGV[1] end
local function gives(ticket)
  if ARGV[11] == '1' then
    redis.call('HSET', KEYS[1], 'is', ticket, unpack(ARGV, 12))
    redis.call('EXPIRE', KEYS[1], ARGV[7])
  end
  return ticket
end
redis.call('ZADD', KEYS[4], 'LT', ARGV[6], ARGV[3])
local old = redis.call('HGET', KEYS[2], ARGV[2])
if old then
  local key = ARGV[8] .. old
  local wishes, edition, state = unpack(redis.call('HMGET', key, 'wishes', 'edition', 'state'))
  if state == 'taken' then return gives(old) end
  if wishes == ARGV[4] then
    redis.call('ZADD', KEYS[3], ARGV[5], old)
    redis.call('EXPIRE', key, ARGV[7])
    return gives(old)
  end
  if wishes then
    redis.call('HSET', key, 'state', 'cancelled')
    redis.call('ZREM', ARGV[9] .. edition, old)
    redis.call('PUBLISH', ARGV[10] .. old, '')
  end
end
redis.call('HSET', KEYS[1], unpack(ARGV, 12))
redis.call('EXPIRE', KEYS[1], ARGV[7])
redis.call('HSET', KEYS[2], ARGV[2], ARGV[1])
redis.call('ZADD', KEYS[3], ARGV[5], ARGV[1])
return ARGV[1]
