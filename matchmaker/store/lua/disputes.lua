-- A page of disputes, those first that came first.
--
-- KEYS: queue, disputes
-- ARGV: how many to leave out, how many to give
-- Returns {number of disputes in the queue, dispute, ...}

local queue, disputes = unpack(KEYS)
local offset, limit = tonumber(ARGV[1]), tonumber(ARGV[2])

local reply = {redis.call('ZCARD', queue)}
for _, name in ipairs(redis.call('ZRANGE', queue, offset, offset + limit - 1)) do
  reply[#reply + 1] = redis.call('HGET', disputes, name)
end
return reply
