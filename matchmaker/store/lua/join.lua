-- A player joins the ladder; a player who is in it already may change its name and owner.
--
-- KEYS: ladder, states, ratings, strengths, names, owners, log, awake
-- ARGV: revision, milliseconds awake, player, packed state, rating, strength or "" where that is the rating,
--       log entry if the player joins, log entry if it only gets another name,
--       "1" if the player brings a rating from elsewhere else "0",
--       name and owner: "=" leave it, "-" remove it, "+text" set it
-- Returns {"stale"} | {"taken"}: it is in the ladder with another state than it brings; nothing changed
--       | {"joined" or "known", 1 if a folding job must be called else 0}

local ladder, states, ratings, strengths, names, owners, log, awake = unpack(KEYS)
local revision, awake_ms, player, state, rating, strength = unpack(ARGV, 1, 6)
local joining, renaming, brought, name, owner = unpack(ARGV, 7)

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

local old_name = redis.call('HGET', names, player)
note(names, name)
note(owners, owner)

local function write(kind, entry)
  -- The board shows it at once: see mark.lua. A mere count would come up again after a failover that lost some.
  redis.call('HSET', ladder, 'touched', redis.call('XADD', log, '*', kind, entry))
  return redis.call('SET', awake, '1', 'NX', 'PX', awake_ms) and 1 or 0
end

if known then
  local renamed = redis.call('HGET', names, player) ~= old_name
  return {'known', renamed and write('rename', renaming) or 0}
end
redis.call('HSET', states, player, state)
redis.call('ZADD', ratings, rating, player)
if strength ~= '' then
  redis.call('ZADD', strengths, strength, player)
end
return {'joined', write('join', joining)}
