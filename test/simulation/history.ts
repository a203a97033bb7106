import { ACCOUNTS, type Action, CLIENTS, MARKETS, type OrderTerms, OTHER_NAME, type Step } from "./actions.js";
import { withEngines } from "./engineFaults.js";
import type { LineFaults } from "./line.js";
import { hopping, listenActions, pushFault, socketFault, streamSettings, tenListeners } from "./listening.js";
import { HAPPENINGS, type Happening, type History, type Profile } from "./profile.js";
import { between, oneOf, type Random, streamOf, unit } from "./random.js";
import { SKEWS, themed, themeOf } from "./themes.js";

/** Mean time between two actions of clients, and between two orders that are changed again and again. */
const EVERY_MS = 400;
const CHASE_EVERY_MS = 8_000;

/** Generates the history of a seed. */
export function historyOf(seed: number, minutes: number): History {
  const theme = themeOf(seed);
  return withEngines(
    theme === "mixture" || theme === "listeners"
      ? mixtureOf(seed, minutes, theme)
      : { seed, minutes, ...themed(theme, seed, minutes) },
  );
}

/**
 * Histories to measure the speed by: one gateway, ten clients that listen to all there is, no faults, and a market that moves once a
 * second; the one with the orders and reads of a mixture, and limits that are checked and not reached, the other without them.
 */
export function measuredHistories(seed: number, minutes: number): readonly History[] {
  const profile: Profile = {
    ...{ theme: "mixture", replicas: 1, happens: new Set<Happening>(["listeners", "reads", "app", "conversions"]) },
    limits: { order: 10_000, open: 1_000_000, day: 100_000_000, inCoins: false, of: "accounts", isOneNamed: false },
    streams: { live: "auto", publicApi: "v3", isLossy: false },
  };
  const busy: History = { ...historyWith(profile, seed, minutes, tenListeners), hasRedis: false, marketMs: 1_000 };
  return [busy, { ...busy, steps: busy.steps.filter(({ action }) => action.kind === "listen") }];
}

/** A history of everything that its profile has. */
const mixtureOf = (seed: number, minutes: number, theme: "mixture" | "listeners"): Omit<History, "hasRedis"> =>
  historyWith(profileOf(streamOf(seed, "profile"), theme), seed, minutes, listenActions);

function historyWith(
  profile: Profile,
  seed: number,
  minutes: number,
  firstListeners: (random: Random) => readonly Action[],
): Omit<History, "hasRedis"> {
  const listening = streamOf(seed, "listening");
  const random = streamOf(seed, "workload");
  const operator = streamOf(seed, "operator");
  const faults = streamOf(seed, "faults");
  const steps: Omit<Step, "id">[] = [];
  const until = minutes * 60_000;
  const add = (at: number, replica: number, actions: readonly Action[], gapMs = 400) => {
    for (const [place, action] of actions.entries()) steps.push({ at: at + place * gapMs, replica, action });
  };
  for (let at = 0; at < until; at += random.between(0, 2 * EVERY_MS))
    add(at, random.between(0, 1), clientActions(random, profile));
  for (let at = random.between(0, CHASE_EVERY_MS); at < until; at += random.between(0, 2 * CHASE_EVERY_MS))
    add(at, random.between(0, 1), chase(random, profile));
  const { happens } = profile;
  const nowAndThen = (happening: Happening, everyMs: number, stream: Random, make: () => readonly Action[], gapMs?: number) => {
    if (!happens.has(happening)) return;
    for (let at = stream.between(0, everyMs); at < until; at += stream.between(everyMs >> 1, everyMs * 2))
      add(at, stream.between(0, 1), make(), gapMs);
  };
  nowAndThen("halts", 20_000, operator, () => haltActions(operator), 6_000);
  nowAndThen("modes", 20_000, operator, () => modeActions(operator, happens.has("halts")));
  nowAndThen("renames", 40_000, operator, () => [renaming(operator)]);
  nowAndThen("clocks", 30_000, faults, () => [{ kind: "exchangeClock", skewMs: oneOf(faults, SKEWS) }]);
  nowAndThen("kills", 30_000, faults, () => [{ kind: "kill", downMs: faults.between(0, 8_000) }]);
  nowAndThen("restarts", 40_000, faults, () => restart(faults));
  nowAndThen("pauses", 30_000, faults, () => [{ kind: "pause", forMs: oneOf(faults, [50, 1_000, 4_000, 15_000, 60_000]) }]);
  nowAndThen("maintenance", 40_000, faults, () => [{ kind: "maintenance", forMs: faults.between(500, 20_000) }]);
  if (!happens.has("renames"))
    nowAndThen("rotations", 30_000, operator, () => [{ kind: "rotate", account: oneOf(operator, ACCOUNTS) }]);
  const reading = streamOf(seed, "reading");
  nowAndThen("reads", 1_000, reading, () => [
    { kind: "read", client: oneOf(reading, CLIENTS), account: oneOf(reading, ACCOUNTS) },
  ]);
  nowAndThen("faults", 15_000, faults, () => [lineFaults(faults)]);
  nowAndThen("bursts", 15_000, random, () => burst(random, profile), 1);
  if (profile.streams !== undefined) {
    const { isLossy } = profile.streams;
    add(0, 0, firstListeners(listening), 70);
    nowAndThen("listeners", 12_000, listening, () => [hopping(listening)]);
    nowAndThen("sockets", 15_000, listening, () => [socketFault(listening)]);
    nowAndThen("pushes", 15_000, listening, () => [pushFault(listening, isLossy)]);
  }
  steps.sort((one, other) => one.at - other.at);
  return { seed, minutes, profile, steps: steps.map((step, id) => ({ ...step, id })) };
}

function profileOf(random: Random, theme: "mixture" | "listeners"): Profile {
  const isListening = theme === "listeners";
  const limit = (probability: number, min: number, max: number) => {
    const drawn = Math.round(between(random, min, max));
    return unit(random.next()) < probability && !isListening ? drawn : undefined;
  };
  const isTwo = unit(random.next()) < 0.3;
  const limits = {
    order: limit(0.5, 800, 3_000),
    open: limit(0.5, 2_500, 6_000),
    day: limit(0.6, 4_000, 12_000),
    inCoins: random.oneIn(3),
    of: oneOf(random, ["accounts", "clients", "both"] as const),
    isOneNamed: random.oneIn(12),
  };
  const drawn = Object.entries(HAPPENINGS).filter(([, probability]) => unit(random.next()) < probability);
  const happens = new Set(drawn.map(([name]) => name as Happening));
  if (isListening) happens.add("listeners");
  const streams = happens.has("listeners")
    ? { ...streamSettings(random), isLossy: happens.has("pushes") && random.oneIn(2) }
    : undefined;
  return { theme, replicas: isTwo ? 2 : 1, limits, happens, streams };
}

function orderTerms(random: Random, { happens }: Profile): OrderTerms {
  const isMarket = random.oneIn(4);
  const where = unit(random.next());
  // A large order at the market, maybe with a price that is no limit.
  const large = isMarket && happens.has("pricedMarkets") && random.oneIn(3) ? between(random, 0.0001, 0.9) : undefined;
  return {
    market: oneOf(random, MARKETS),
    side: oneOf(random, ["buy", "sell"] as const),
    isMarket,
    notional: large === undefined ? between(random, 50, 2_000) : between(random, 500, 8_000),
    distance: where < 0.5 ? 0 : where < 0.8 ? between(random, 0.005, 0.04) : between(random, -0.04, 0.005),
    isReduceOnly: random.oneIn(6),
    posSide: oneOf(random, ["long", "short"] as const),
    marketPrice: large === undefined || large > 0.6 ? undefined : large,
  };
}

function clientActions(random: Random, profile: Profile): readonly Action[] {
  const client = oneOf(random, CLIENTS);
  const account = oneOf(random, ACCOUNTS);
  const pick = random.next();
  const drawn = unit(random.next());
  const order = orderTerms(random, profile);
  const factor = oneOf(random, [0.5, 1, 1, 1.5, 3]);
  if (drawn < 0.42) return [{ kind: "place", client, account, order }];
  if (drawn < 0.6) return [{ kind: "modify", client, account, pick, factor, distance: order.distance }];
  if (drawn < 0.7) return [{ kind: "cancel", client, account, pick }];
  if (drawn < 0.86) return [{ kind: "meet", account, pick, share: between(random, 0.1, 1) }];
  if (drawn < 0.89) return [{ kind: "trigger", client, account, order }];
  if (drawn < 0.92) return [{ kind: "takeProfit", client, account, pick }];
  if (drawn < 0.95 && profile.happens.has("conversions")) return [{ kind: "convert", client, account, notional: order.notional }];
  if (drawn < 0.97 && profile.happens.has("app")) return [{ kind: "appTrigger", account, order }];
  return [{ kind: "dryRun", client, account, order }];
}

/** An order that is changed again and again, perhaps between executions of a part of it. */
function chase(random: Random, profile: Profile): readonly Action[] {
  const client = oneOf(random, CLIENTS);
  const account = oneOf(random, ACCOUNTS);
  const isFilled = random.oneIn(2);
  const distance = isFilled ? 0 : between(random, 0.01, 0.04);
  const order: OrderTerms = {
    ...orderTerms(random, profile),
    distance,
    isMarket: false,
    marketPrice: undefined,
    isReduceOnly: false,
  };
  const modify: Action = { kind: "modify", client, account, pick: 0, factor: 1, distance };
  const meet: Action = { kind: "meet", account, pick: 0, share: between(random, 0.2, 0.95) };
  const again = isFilled ? [meet, modify] : [modify];
  return [{ kind: "place", client, account, order }, ...Array.from({ length: random.between(2, 5) }, () => again).flat()];
}

function haltActions(random: Random): readonly Action[] {
  const account = random.oneIn(4) ? null : oneOf(random, ACCOUNTS);
  const halt: Action = { kind: "halt", account, cancelOpen: random.oneIn(2) };
  const resume: Action = { kind: "resume", account };
  return random.oneIn(4) ? [halt] : [halt, resume];
}

/** One name learns the position mode, which then changes by way of the other name or the app; perhaps trading is halted. */
function modeActions(random: Random, mayHalt: boolean): readonly Action[] {
  const account = oneOf(random, ACCOUNTS);
  const [client, isHedged] = [oneOf(random, CLIENTS), random.oneIn(2)];
  const market = oneOf(random, MARKETS.slice(4));
  const terms = { market, isMarket: true, notional: 100, distance: 0, marketPrice: undefined } as const;
  const [side, posSide] = [oneOf(random, ["buy", "sell"] as const), oneOf(random, ["long", "short"] as const)];
  const order: OrderTerms = { ...terms, side, posSide, isReduceOnly: true };
  const change: Action = random.oneIn(3)
    ? { kind: "appHoldMode", account, isHedged }
    : { kind: "holdMode", client, account: OTHER_NAME[account], isHedged };
  const halt: readonly Action[] = mayHalt ? [{ kind: "halt", account, cancelOpen: false }] : [];
  return [
    { kind: "appFlatten", account },
    { kind: "dryRun", client, account, order: { ...order, isReduceOnly: false } },
    change,
    ...halt,
    { kind: "place", client, account, order },
  ];
}

/** One replica after the other gets new settings. */
function restart(random: Random): readonly Action[] {
  const settings = streamSettings(random);
  return [{ kind: "restart", downMs: random.between(0, 5_000), settings }];
}

function renaming(random: Random): Action {
  return { kind: "rename", account: oneOf(random, ACCOUNTS), to: random.oneIn(2) ? oneOf(random, ACCOUNTS) : undefined };
}

function lineFaults(random: Random): Action {
  const some = () => (random.oneIn(2) ? between(random, 0.01, 0.2) : 0);
  const faults: LineFaults = {
    ...{ unavailable: 0, doubled: 0 },
    ...{ reset: some(), lost: some(), badGateway: some(), throttled: some(), truncated: some(), late: some() },
    delayMs: oneOf(random, [50, 2_000, 15_000, 40_000]),
  };
  return { kind: "line", faults, forMs: random.between(500, 12_000) };
}

/** More orders at once than the exchange takes in a second; perhaps their symbol is forbidden while they wait. */
function burst(random: Random, profile: Profile): readonly Action[] {
  const client = oneOf(random, CLIENTS);
  const account = oneOf(random, ACCOUNTS);
  const terms = orderTerms(random, profile);
  const order: OrderTerms = {
    ...terms,
    notional: 20,
    distance: 0.03,
    isReduceOnly: false,
    isMarket: false,
    marketPrice: undefined,
  };
  const other = random.oneIn(2) ? OTHER_NAME[account] : account;
  const orders = Array.from(
    { length: 24 },
    (_, at): Action => ({
      ...{ kind: "place", client, order },
      account: at % 2 === 0 ? account : other,
    }),
  );
  return random.oneIn(3) ? [...orders, { kind: "forbid", market: order.market }] : orders;
}
