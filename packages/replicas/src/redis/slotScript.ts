import { LEASE_MS, MEMBER_MS, NOW, SAME_EPOCH, script, YOUNG_MS } from "./script.js";

/** Interval at which leases are renewed. */
export const RENEW_MS = 200;
/**
 * Duration of a replica's own lease, by its clock from before the request: it ends earlier than in Redis, even with a clock that
 * is ten percent slow.
 */
export const OWN_LEASE_MS = LEASE_MS * 0.9;
/** Slots of an expired lease rest for this much longer than a window, because the last calls may have been under way. */
export const ON_THE_WAY_MS = 500;
/** A replica without contact for this long has no slot reserved on counters of cancels. */
const PRESENT_MS = 2 * LEASE_MS;

/**
 * Leases slots of one counter. A row is `slots:wanted:expires` by replica, possibly with additions of a later version; an expired
 * row counts until its slots have rested. Grants the requested slots, up to what the others leave; slots that cannot be returned
 * count in any case. While Redis is learning it grants only slots that may be used already: for a lease and a rest after its epoch
 * began, or until all replicas of the former epoch have reported their slots, or while it is young.
 *
 * Fair shares are equal, up to what each replica wants. Replicas take turns with the rest, so that each gets a slot in time where a
 * counter has fewer slots than there are replicas.
 *
 * KEYS: epoch, members, the counter, replicas that have reported. ARGV: epoch, replica, occupied, usable now, requested, wanted, limit, rest of slots (ms), 1
 * if cancels use it. Returns: slots, replicas, the fair share if more is wanted than the limit (otherwise the limit), free slots.
 */
export const SLOTS = script(
  "slots",
  `${NOW}${SAME_EPOCH}
  local me, keep, mine = ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
  local ask, want = tonumber(ARGV[5]), tonumber(ARGV[6])
  local limit, rest, isForCancels = tonumber(ARGV[7]), tonumber(ARGV[8]), ARGV[9] == '1'
  redis.call('ZADD', KEYS[2], now + ${MEMBER_MS}, me)
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
  local replicas = redis.call('ZCARD', KEYS[2])

  local slots, wants, rows = {}, {}, redis.call('HGETALL', KEYS[3])
  for at = 1, #rows, 2 do
    local name, count, wanted, expires = rows[at], string.match(rows[at + 1], '^(%d+):(%d+):(%d+)')
    if count then
      if tonumber(expires) + rest <= now then
        redis.call('HDEL', KEYS[3], name)
      elseif name ~= me then
        slots[name] = tonumber(count)
        if tonumber(expires) > now then wants[#wants + 1] = { name = name, want = tonumber(wanted) } end
      end
    elseif name == '~cancels' and replicas <= limit then
      isForCancels = true
    end
  end
  if isForCancels then
    redis.call('HSET', KEYS[3], '~cancels', '1')
    if replicas <= limit then
      for _, name in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], now + ${MEMBER_MS - PRESENT_MS}, '+inf')) do
        if name ~= me and (slots[name] or 0) == 0 then slots[name] = 1 end
      end
    end
  end
  local others = 0
  for _, count in pairs(slots) do others = others + count end

  local expected = tonumber(epoch[4] or '-1')
  local learning = now < tonumber(epoch[2]) + (epoch[3] == '1' and ${YOUNG_MS} or ${LEASE_MS} + rest)
  if expected > 0 and redis.call('ZCARD', KEYS[4]) >= expected then learning = false end
  local grant = math.max(0, math.min(learning and mine or math.max(ask, mine), limit - others))
  local counted = math.max(grant, keep)
  if counted == 0 and want == 0 then
    redis.call('HDEL', KEYS[3], me)
  else
    redis.call('HSET', KEYS[3], me, counted .. ':' .. want .. ':' .. (now + ${LEASE_MS}))
  end
  redis.call('PEXPIRE', KEYS[3], ${LEASE_MS} + rest + ${MEMBER_MS})

  local fair, sum = limit, want
  wants[#wants + 1] = { name = me, want = want }
  for _, one in ipairs(wants) do if one.name ~= me then sum = sum + one.want end end
  if sum > limit then
    table.sort(wants, function(a, b) return a.want < b.want or (a.want == b.want and a.name < b.name) end)
    local left, shares, level, isFull = limit, {}, 0, false
    for at, one in ipairs(wants) do
      if not isFull then level = math.floor(left / (#wants - at + 1)) end
      isFull = one.want > level
      shares[one.name] = math.min(one.want, level)
      left = left - shares[one.name]
    end
    local turn = math.floor(now / (2 * rest))
    for step = 1, #wants do
      local one = wants[(turn + step) % #wants + 1]
      if left > 0 and one.want > shares[one.name] then
        shares[one.name] = shares[one.name] + 1
        left = left - 1
      end
    end
    fair = shares[me]
  end
  return { grant, replicas, fair, math.max(0, learning and 0 or limit - others - counted) }
`,
);
