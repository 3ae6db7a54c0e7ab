-- A page of the flags that wait for a moderator, those first that were raised first.
--
-- KEYS: queue, flags, names
-- ARGV: how many to leave out, how many to give
-- Returns {number of flags in the queue, {flag/player, when it was raised (ms), what it says, player's name or nil}, ...}

local queue, flags, names = unpack(KEYS)
local offset, limit = tonumber(ARGV[1]), tonumber(ARGV[2])

local reply = {redis.call('ZCARD', queue)}
local row = redis.call('ZRANGE', queue, offset, offset + limit - 1, 'WITHSCORES')
for i = 1, #row, 2 do
  local player = row[i]:match('/(.*)$')
  reply[#reply + 1] = {row[i], row[i + 1], redis.call('HGET', flags, row[i]), redis.call('HGET', names, player)}
end
return reply
