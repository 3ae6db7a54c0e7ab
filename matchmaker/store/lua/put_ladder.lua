-- Creates a ladder or changes its settings; the rule only while there are no results.
--
-- KEYS: ladder, ids, log, awake
-- ARGV: settings as JSON, the rule alone as JSON, milliseconds awake, log entry of a change
-- Returns {"created" | "changed" | "same" | "rule_in_use" | "restoring": it is being brought in from a file, 1 if a folding job must be called else 0}

local ladder, ids, log, awake = unpack(KEYS)
local body, rule, awake_ms, entry = unpack(ARGV)

if redis.call('HEXISTS', ladder, 'restoring') == 1 then
  return {'restoring', 0}
end
local known, known_rule = unpack(redis.call('HMGET', ladder, 'body', 'rule'))
if known == body then
  return {'same', 0}
end
if known and known_rule ~= rule and redis.call('HLEN', ids) > 0 then
  return {'rule_in_use', 0}
end
-- By a number that the settings decide: after a failover that lost a change, a mere count would come up again.
local step = 1 + tonumber(redis.sha1hex(body):sub(1, 8), 16)
redis.call('HSET', ladder, 'body', body, 'rule', rule)
redis.call('HINCRBY', ladder, 'revision', step)
if not known then
  return {'created', 0}
end
redis.call('XADD', log, '*', 'reform', entry)
return {'changed', redis.call('SET', awake, '1', 'NX', 'PX', awake_ms) and 1 or 0}
