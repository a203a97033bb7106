import { LEASE_MS } from "./engine.js";
import { NOW, SAME_EPOCH, script } from "./script.js";

/** How often leases are renewed. */
export const RENEW_MS = 200;
/** What a replica has of its own lease, by its own clock from before it asked: it ends earlier than the engine's. */
export const OWN_LEASE_MS = LEASE_MS * 0.95;
/** A replica that was not heard of for so long has no slot of a counter of cancels kept for it. */
const PRESENT_MS = 2 * LEASE_MS;
const MEMBER_MS = 30_000;

/**
 * Leases slots of one counter. A row is `slots:wanted:expires` by replica; one that has ended counts until its slots have rested a
 * whole window. Grants what is asked for, and what cannot be given back, up to what the others leave. While the engine is learning
 * (a lease and a window after its epoch began) it grants what is held and nothing more.
 *
 * KEYS: epoch, members, the counter.
 * ARGV: epoch, replica, held, asked for, wanted, limit, window (ms), 1 where cancels spend it.
 * Gives: slots, replicas, the fair share where more is wanted than there is (the limit otherwise), slots that are nobody's.
 */
export const SLOTS = script(`${NOW}${SAME_EPOCH}
  local me, keep, ask, want = ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
  local limit, rest = tonumber(ARGV[6]), tonumber(ARGV[7])
  redis.call('ZADD', KEYS[2], now + ${MEMBER_MS}, me)
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
  local replicas = redis.call('ZCARD', KEYS[2])

  local slots, wants, rows = {}, {}, redis.call('HGETALL', KEYS[3])
  for at = 1, #rows, 2 do
    local name, count, wanted, expires = rows[at], string.match(rows[at + 1], '^(%d+):(%d+):(%d+)$')
    if count then
      if tonumber(expires) + rest <= now then
        redis.call('HDEL', KEYS[3], name)
      elseif name ~= me then
        slots[name] = tonumber(count)
        if tonumber(expires) > now then wants[#wants + 1] = { name = name, want = tonumber(wanted) } end
      end
    elseif name == '~cancels' and replicas <= limit then
      ARGV[8] = '1'
    end
  end
  if ARGV[8] == '1' then
    redis.call('HSET', KEYS[3], '~cancels', '1')
    if replicas <= limit then
      for _, name in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], now + ${MEMBER_MS - PRESENT_MS}, '+inf')) do
        if name ~= me and (slots[name] or 0) == 0 then slots[name] = 1 end
      end
    end
  end
  local others = 0
  for _, count in pairs(slots) do others = others + count end

  local learning = now < tonumber(epoch[2]) + ${LEASE_MS} + rest
  local grant = math.max(0, math.min(learning and keep or math.max(ask, keep), limit - others))
  if grant == 0 and want == 0 then
    redis.call('HDEL', KEYS[3], me)
  else
    redis.call('HSET', KEYS[3], me, grant .. ':' .. want .. ':' .. (now + ${LEASE_MS}))
  end
  redis.call('PEXPIRE', KEYS[3], ${LEASE_MS} + rest + ${MEMBER_MS})

  local fair, sum = limit, want
  wants[#wants + 1] = { name = me, want = want }
  for _, one in ipairs(wants) do if one.name ~= me then sum = sum + one.want end end
  if sum > limit then
    table.sort(wants, function(a, b) return a.want < b.want or (a.want == b.want and a.name < b.name) end)
    local left = limit
    for at, one in ipairs(wants) do
      local share = math.min(one.want, math.floor(left / (#wants - at + 1)))
      if one.name == me then fair = share end
      left = left - share
    end
  end
  return { grant, replicas, fair, math.max(0, learning and 0 or limit - others - grant) }
`);
