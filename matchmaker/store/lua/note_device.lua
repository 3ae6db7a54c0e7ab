-- Remembers a device of a player, before those that it was seen on earlier.
--
-- KEYS: devices
-- ARGV: player, tag of the device (16 bytes), how many bytes of tags are kept

local devices = KEYS[1]
local player, tag, kept = ARGV[1], ARGV[2], tonumber(ARGV[3])

local tags = redis.call('HGET', devices, player) or ''
if not tags:find(tag, 1, true) then
  redis.call('HSET', devices, player, (tag .. tags):sub(1, kept))
end
