-- A player joins the ladder; a player who is in it already may change its name and owner.
--
-- KEYS: ladder, states, ratings, names, owners, log, awake
-- ARGV: revision, milliseconds awake, player, packed state, rating, log entry,
--       "1" if the player brings a rating from elsewhere else "0",
--       name and owner: "=" leave it, "-" remove it, "+text" set it
-- Returns {"stale"} | {"taken"}: it is in the ladder with another state than it brings; nothing changed
--       | {"known"} | {"joined", 1 if a folding job must be called else 0}

local ladder, states, ratings, names, owners, log, awake = unpack(KEYS)
local revision, awake_ms, player, state, rating, entry, brought, name, owner = unpack(ARGV)

if redis.call('HGET', ladder, 'revision') ~= revision then
  return {'stale'}
end

local known = redis.call('HGET', states, player)
if known and brought == '1' and known ~= state then
  return {'taken'}
end

local function note(hash, change)
  local kind = change:sub(1, 1)
  if kind == '+' then
    redis.call('HSET', hash, player, change:sub(2))
  elseif kind == '-' then
    redis.call('HDEL', hash, player)
  end
end

note(names, name)
note(owners, owner)
if known then
  return {'known'}
end

redis.call('HSET', states, player, state)
redis.call('ZADD', ratings, rating, player)
redis.call('XADD', log, '*', 'join', entry)
local called = redis.call('SET', awake, '1', 'NX', 'PX', awake_ms)
return {'joined', called and 1 or 0}
