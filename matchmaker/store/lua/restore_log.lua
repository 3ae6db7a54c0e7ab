-- Entries of a log, under the ids that they had; joins take effect at once, as they did then.
--
-- KEYS: ladder, states, ratings, ids, log, restoring
-- ARGV: revision, milliseconds as in restore_begin, then for each entry: log id, kind, entry, and four words:
--       of a result the digests of its id and of its content, initiator, opponent;
--       of a join player, packed state, rating, nothing; of others nothing
-- Returns {"stale"} | {"done"} | {"refused", place of the entry from 1, "twice" | "unknown" | "joined"}: the
--         result's id or the player came before, or the result's player did not; nothing more was written

local ladder, states, ratings, ids, log, restoring = unpack(KEYS)

if redis.call('HGET', ladder, 'revision') ~= ARGV[1] then
  return {'stale'}
end
redis.call('SET', restoring, '1', 'PX', ARGV[2])

local function write(id, kind, entry, a, b, c, d)
  if kind == 'result' then
    if redis.call('HEXISTS', states, c) == 0 or redis.call('HEXISTS', states, d) == 0 then
      return 'unknown'
    elseif redis.call('HSETNX', ids, a, b .. id) == 0 then
      return 'twice'
    end
  elseif kind == 'join' then
    if redis.call('HSETNX', states, a, b) == 0 then
      return 'joined'
    end
    redis.call('ZADD', ratings, c, a)
  end
  redis.call('XADD', log, id, kind, entry)
end

for i = 3, #ARGV, 7 do
  local refused = write(unpack(ARGV, i, i + 6))
  if refused then
    return {'refused', (i - 3) / 7 + 1, refused}
  end
end
return {'done'}
