-- Creates a ladder or changes its settings; the rule only while there are no results.
--
-- KEYS: ladder, ids
-- ARGV: settings as JSON, the rule alone as JSON
-- Returns "created" | "changed" | "same" | "rule_in_use": nothing changed

local ladder, ids = unpack(KEYS)
local body, rule = unpack(ARGV)

local known, known_rule = unpack(redis.call('HMGET', ladder, 'body', 'rule'))
if known == body then
  return 'same'
end
if known and known_rule ~= rule and redis.call('HLEN', ids) > 0 then
  return 'rule_in_use'
end
redis.call('HSET', ladder, 'body', body, 'rule', rule)
redis.call('HINCRBY', ladder, 'revision', 1)
return known and 'changed' or 'created'
