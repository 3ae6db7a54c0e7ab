-- Cancels an open battle, so that its challenger may ask again.
--
-- KEYS: battle, open, issued
-- ARGV: now (ms)
-- Returns "cancelled" (also the second time) | "unknown" | "expired" | "reported": nothing changed

local battle, open, issued = unpack(KEYS)
local now = tonumber(ARGV[1])

local status, expires, challenger, id =
  unpack(redis.call('HMGET', battle, 'status', 'expires', 'challenger', 'id'))
if not status then
  return 'unknown'
elseif status ~= 'open' then
  return status
elseif tonumber(expires) <= now then
  return 'expired'
end
redis.call('HSET', battle, 'status', 'cancelled')
redis.call('HDEL', battle, 'pool')
local pointer = redis.call('HGET', open, challenger)
if pointer and pointer:match('^%S+') == id then
  redis.call('HDEL', open, challenger)
end
for _, remembered in ipairs(redis.call('LRANGE', issued, 0, -1)) do
  if remembered:match('^%S+') == id then
    redis.call('LREM', issued, 1, remembered)
  end
end
return 'cancelled'
