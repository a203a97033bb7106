import { type Action, ENGINE_FAULTS, type Step } from "./actions.js";
import type { History } from "./profile.js";
import { chance, oneOf, type Random, streamOf } from "./random.js";

const EVERY_MS = 15_000;
/** Time within which a token that was revoked may be given again, and its client places its orders again. */
const LATE_MS = 8_000;

/** Adds the servers to a history of several gateways, and what they suffer. Its other steps stay as they are. */
export function withEngines(history: Omit<History, "hasRedis">): History {
  const { seed, minutes, profile, steps } = history;
  if (profile.replicas === 1) return { ...history, hasRedis: false };
  const random = streamOf(seed, "engines");
  const hasRedis = chance(random, 0.7);
  const replicas = random.oneIn(3) ? 3 : 2;
  const faults = chance(random, 0.6) ? faultsOf(random, minutes, hasRedis) : [];
  const isSpread = replicas === 3 && !["rolls", "crossings"].includes(profile.theme);
  const spread = steps.map((step) => (isSpread ? { ...step, replica: random.between(0, 2) } : step));
  const repeats = repeated(random, spread, replicas, profile.theme === "tokens" ? LATE_MS : 1_500);
  const more = faults.map(({ at, action }, place) => ({ id: steps.length + place, at, replica: 0, action }));
  return { ...history, hasRedis, profile: { ...profile, replicas }, steps: [...spread, ...repeats, ...more] };
}

/** Some orders are placed again, under the same key: at another gateway, at the same time or a little later. */
function repeated(random: Random, steps: readonly Step[], replicas: number, mostLaterMs: number): readonly Step[] {
  return steps.flatMap((step) => {
    if (step.action.kind !== "place" || !random.oneIn(5)) return [];
    const laterMs = oneOf(random, [0, random.between(0, 20), random.between(0, mostLaterMs)]);
    return [{ ...step, at: step.at + laterMs, replica: (step.replica + random.between(1, replicas - 1)) % replicas }];
  });
}

function faultsOf(
  random: Random,
  minutes: number,
  hasRedis: boolean,
): readonly { readonly at: number; readonly action: Action }[] {
  const possible = ENGINE_FAULTS.filter((fault) => hasRedis || fault.startsWith("database"));
  // A few kinds in one history, so that each also happens without the others.
  const kinds = [oneOf(random, possible), oneOf(random, possible)];
  const faults: { at: number; action: Action }[] = [];
  for (let at = random.between(1_000, EVERY_MS); at < minutes * 60_000; at += random.between(EVERY_MS >> 1, 2 * EVERY_MS)) {
    const forMs = oneOf(random, [random.between(10, 400), random.between(400, 3_000), random.between(3_000, 12_000)]);
    faults.push({ at, action: { kind: "engine", fault: oneOf(random, kinds), forMs } });
  }
  return faults;
}
