-- The mark of a board: it changes whenever anything on the board does.
--
-- KEYS: ladder, cursor
-- Returns {} if there is no such ladder | {revision of the settings, last change beside the fold (see keys.py), cursor}

local revision, touched = unpack(redis.call('HMGET', KEYS[1], 'revision', 'touched'))
if not revision then
  return {}
end
return {revision, touched or '0-0', redis.call('GET', KEYS[2]) or '0-0'}
