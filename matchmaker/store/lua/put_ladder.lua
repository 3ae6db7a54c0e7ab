-- Creates a ladder or changes its settings; the rule only while there are no results.
--
-- KEYS: ladder, ids, states, log, awake
-- ARGV: settings as JSON, the same with every default, milliseconds awake, log entry of a change
-- Returns {"created" | "changed" | "same" | "rule_in_use" | "players_in_use": its players have come with
--          another sigma than the new rule's newcomers, or one of these has none | "restoring": it is being
--          brought in from a file, 1 if a folding job must be called else 0}
--
-- Settings are compared by what they mean: a setting that did not exist yet when the ladder was written stands
-- for its default, so that no ladder changes because the program has learnt a new coefficient.

local ladder, ids, states, log, awake = unpack(KEYS)
local body, defaults, awake_ms, entry = unpack(ARGV)

local function is_group(value)
  return type(value) == 'table' and value[1] == nil
end

local function fill(settings, default)
  for name, value in pairs(default) do
    if settings[name] == nil then
      settings[name] = value
    elseif is_group(settings[name]) and is_group(value) then
      fill(settings[name], value)
    end
  end
end

local function equal(one, other)
  if type(one) ~= 'table' or type(other) ~= 'table' then
    return one == other
  end
  for name, value in pairs(one) do
    if not equal(value, other[name]) then
      return false
    end
  end
  for name in pairs(other) do
    if one[name] == nil then
      return false
    end
  end
  return true
end

if redis.call('HEXISTS', ladder, 'restoring') == 1 then
  return {'restoring', 0}
end
local known = redis.call('HGET', ladder, 'body')
if known == body then
  return {'same', 0}
end
if known then
  local before, after = cjson.decode(known), cjson.decode(body)
  local changes_sigma = before.rule.sigma ~= after.rule.sigma
  fill(before, cjson.decode(defaults))
  if equal(before, after) then
    return {'same', 0}
  end
  if not equal(before.rule, after.rule) and redis.call('HLEN', ids) > 0 then
    return {'rule_in_use', 0}
  end
  if changes_sigma and redis.call('HLEN', states) > 0 then
    return {'players_in_use', 0}
  end
end
-- By a number that the settings decide: after a failover that lost a change, a mere count would come up again.
local step = 1 + tonumber(redis.sha1hex(body):sub(1, 8), 16)
redis.call('HSET', ladder, 'body', body)
redis.call('HINCRBY', ladder, 'revision', step)
if not known then
  return {'created', 0}
end
redis.call('XADD', log, '*', 'reform', entry)
return {'changed', redis.call('SET', awake, '1', 'NX', 'PX', awake_ms) and 1 or 0}
