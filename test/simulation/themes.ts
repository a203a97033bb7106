import { ACCOUNTS, type Action, CLIENTS, MARKETS, type OrderTerms, OTHER_NAME, type Step } from "./actions.js";
import { LATER_SCENES } from "./laterThemes.js";
import { LATEST_SCENES } from "./latestThemes.js";
import { NO_FAULTS } from "./line.js";
import { bookActions, listenActions, streamSettings } from "./listening.js";
import { NEWEST_SCENES } from "./newestThemes.js";
import {
  ACCOUNT_THEMES,
  COPY_THEMES,
  type History,
  LATER_THEMES,
  LATEST_THEMES,
  NEWEST_THEMES,
  type Profile,
  THEMES,
  type Theme,
} from "./profile.js";
import { between, oneOf, type Random, streamOf, unit } from "./random.js";
import { gapped, orderOf, type Scene } from "./scene.js";

const DAY = 86_400_000;
/** What the exchange's clock may be ahead by, ms. */
export const SKEWS = [0, 0, 0, DAY, -DAY, 1_500, -1_500, 60_000] as const;

export const themeOf = (seed: number): Theme =>
  drawnOf(unit(streamOf(seed, "copy theme").next()), COPY_THEMES) ??
  drawnOf(unit(streamOf(seed, "account theme").next()), ACCOUNT_THEMES) ??
  drawnOf(unit(streamOf(seed, "drawn newest").next()), NEWEST_THEMES) ??
  drawnOf(unit(streamOf(seed, "theme drawn first").next()), LATEST_THEMES) ??
  drawnOf(unit(streamOf(seed, "added theme").next()), LATER_THEMES) ??
  drawnOf(unit(streamOf(seed, "theme").next()), THEMES) ??
  "mixture";

function drawnOf<T extends string>(drawn: number, shares: Readonly<Record<T, number>>): T | undefined {
  let left = drawn;
  for (const theme of Object.keys(shares) as T[]) {
    if (left < shares[theme]) return theme;
    left -= shares[theme];
  }
  return undefined;
}

/** Themes that are no mixture. */
type OwnTheme = Exclude<Theme, "mixture" | "listeners">;
type Steps = Omit<Step, "id">[];

/** The history of a theme with little else in it. */
export function themed(theme: OwnTheme, seed: number, minutes: number): Omit<History, "seed" | "minutes" | "hasRedis"> {
  const random = streamOf(seed, theme);
  const profile = PROFILES[theme](random);
  const listening = theme === "books" ? bookActions : listenActions;
  const steps: Steps = profile.streams === undefined ? [] : listening(random).map((action) => ({ at: 0, replica: 0, action }));
  let at = random.between(500, 2_000);
  while (at < minutes * 60_000) {
    const replica = random.between(0, 1);
    for (const { action, gapMs, replica: own = replica } of SCENES[theme](random, profile)) {
      steps.push({ at, replica: own, action });
      at += gapMs;
    }
    at += random.between(500, 4_000);
  }
  return { profile, steps: steps.map((step, id) => ({ ...step, id })) };
}

const NO_LIMITS = { order: undefined, open: undefined, day: undefined } as const;

function profileWith(
  random: Random,
  theme: Theme,
  limits: Partial<Profile["limits"]>,
  happens: Profile["happens"],
  isAlone = false,
) {
  const of = oneOf(random, ["accounts", "clients", "both"] as const);
  const replicas: 1 | 2 = !isAlone && random.oneIn(4) ? 2 : 1;
  return {
    theme,
    replicas,
    limits: { ...NO_LIMITS, inCoins: !random.oneIn(3), of, isOneNamed: false, ...limits },
    happens,
    streams: undefined,
  };
}

/** A tight limit: an order or two. */
const tight = (random: Random): number => Math.round(between(random, 600, 2_500));

const PROFILES: Readonly<Record<OwnTheme, (random: Random) => Profile>> = {
  refills: (random) => profileWith(random, "refills", { day: tight(random) }, new Set()),
  replacements: (random) => profileWith(random, "replacements", { open: tight(random), of: "clients" }, new Set(), true),
  clocks: (random) => profileWith(random, "clocks", { day: tight(random) }, new Set(["clocks"])),
  modes: (random) => profileWith(random, "modes", {}, new Set(["halts", "modes"])),
  losses: (random) => profileWith(random, "losses", { day: tight(random) }, new Set(["faults", "kills"])),
  files: (random) => profileWith(random, "files", { day: 4 * tight(random) }, new Set(["faults", "kills"]), true),
  upgrades: (random) => profileWith(random, "upgrades", { day: 4 * tight(random) }, new Set(["halts"])),
  batches: (random) =>
    profileWith(random, "batches", { order: tight(random), day: 2 * tight(random) }, new Set(["faults", "kills"])),
  races: (random) => profileWith(random, "races", { open: 2 * tight(random), day: 4 * tight(random) }, new Set(["halts"])),
  rolls: (random) => ({
    ...profileWith(random, "rolls", { day: 8 * tight(random) }, new Set(["restarts", "listeners"])),
    replicas: 2,
    streams: { ...streamSettings(random), isLossy: false },
  }),
  crossings: (random) => ({ ...profileWith(random, "crossings", {}, new Set(["halts"])), replicas: 2 }),
  machines: (random) => ({
    ...profileWith(random, "machines", { day: 8 * tight(random) }, new Set(["listeners"])),
    streams: { ...streamSettings(random), isLossy: false },
  }),
  tokens: (random) => ({
    ...profileWith(random, "tokens", {}, new Set(["faults", "kills", "listeners"])),
    replicas: random.oneIn(4) ? 1 : 2,
    streams: { ...streamSettings(random), isLossy: false },
  }),
  withdrawals: (random) => ({
    ...profileWith(random, "withdrawals", {}, new Set(["faults", "kills", "halts"])),
    replicas: random.oneIn(4) ? 1 : 2,
  }),
  amounts: (random) => ({
    ...profileWith(random, "amounts", {}, new Set(["faults"])),
    limits: {
      ...{ order: tight(random), open: 3 * tight(random), day: 12 * tight(random) },
      ...{ inCoins: random.oneIn(2), of: oneOf(random, ["accounts", "clients", "both"] as const), isOneNamed: false },
    },
  }),
  books: (random) => ({
    ...profileWith(random, "books", {}, new Set(["listeners", "sockets", "pushes"])),
    streams: { ...streamSettings(random), isLossy: random.oneIn(2) },
  }),
  settings: (random) => ({
    ...profileWith(random, "settings", {}, new Set(["faults", "kills", "halts", "listeners"])),
    replicas: random.oneIn(3) ? 1 : 2,
    streams: random.oneIn(2) ? { ...streamSettings(random), isLossy: false } : undefined,
  }),
  copies: (random) => {
    const limits = random.oneIn(2) ? {} : { open: 4 * tight(random), day: 8 * tight(random) };
    return {
      ...profileWith(random, "copies", limits, new Set(["faults", "kills", "halts", "listeners"])),
      streams: random.oneIn(2) ? { ...streamSettings(random), isLossy: false } : undefined,
    };
  },
  switches: (random) => ({
    ...profileWith(random, "switches", {}, new Set(["faults", "kills"])),
    replicas: random.oneIn(4) ? 1 : 2,
  }),
  triggers: (random) =>
    profileWith(random, "triggers", { order: 2 * tight(random), day: 6 * tight(random) }, new Set(["faults", "kills", "halts"])),
};

const repeated = <T>(count: number, parts: readonly T[]): readonly T[] => Array.from({ length: count }, () => parts).flat();

const SCENES: Readonly<Record<OwnTheme, (random: Random, profile: Profile) => readonly Scene[]>> = {
  refills: (random, { limits }) => {
    const [client, account] = [oneOf(random, CLIENTS), oneOf(random, ["classic", "classic2", "main"] as const)];
    const order = orderOf(random, limits.day, between(random, 0.3, 0.95));
    const meet: Action = { kind: "meet", account, pick: 0, share: between(random, 0.3, 0.95) };
    const modify: Action = { kind: "modify", client, account, pick: 0, factor: 1, distance: 0 };
    const changes = repeated(random.between(2, 6), [meet, modify]);
    return gapped(
      [{ kind: "place", client, account, order }, ...changes, { kind: "cancel", client, account, pick: 0 }],
      oneOf(random, [120, 400]),
    );
  },

  replacements: (random, { limits }) => {
    const [client, account] = [oneOf(random, CLIENTS), oneOf(random, ["classic", "classic2", "main"] as const)];
    const distance = between(random, 0.01, 0.04);
    const order: OrderTerms = { ...orderOf(random, limits.open, between(random, 0.3, 0.95)), distance };
    const modify: Action = { kind: "modify", client, account, pick: 0, factor: 1, distance };
    const place: Action = { kind: "place", client, account, order };
    const end: readonly Action[] = random.oneIn(4) ? [{ kind: "cancel", client, account, pick: 0 }] : [];
    // Until the lists of the exchange certainly show an order, it counts twice.
    return gapped([place, ...repeated(random.between(1, 3), [modify]), ...end], oneOf(random, [400, 3_000, 7_000]));
  },

  clocks: (random, { limits }) => {
    const [client, account] = [oneOf(random, CLIENTS), oneOf(random, ACCOUNTS)];
    const order: OrderTerms = { ...orderOf(random, limits.day, between(random, 0.1, 0.4)), isMarket: true };
    const spree = (count: number) => gapped(repeated(count, [{ kind: "place", client, account, order }]), 700);
    const restart: readonly Scene[] = random.oneIn(2) ? [{ action: { kind: "kill", downMs: 200 }, gapMs: 1_500 }] : [];
    const ahead: Action = { kind: "exchangeClock", skewMs: oneOf(random, [DAY, DAY, DAY, -DAY]) };
    const right: Action = { kind: "exchangeClock", skewMs: 0 };
    return [
      ...spree(random.between(0, 3)),
      ...[...gapped([ahead]), ...restart, ...spree(random.between(2, 5))],
      ...[...gapped([right]), ...restart, ...spree(random.between(6, 14))],
    ];
  },

  modes: (random) => {
    const [client, account] = [oneOf(random, CLIENTS), oneOf(random, ACCOUNTS)];
    const isHedged = random.oneIn(4);
    const futures = account.startsWith("classic") ? MARKETS.slice(4, 7) : MARKETS.slice(4);
    const terms = { ...orderOf(random, undefined, 0.1), market: oneOf(random, futures), isMarket: true };
    const closed = terms.side === "buy" ? "short" : "long";
    const order: OrderTerms = { ...terms, posSide: random.oneIn(4) ? terms.posSide : closed, isReduceOnly: true };
    const change: Action = random.oneIn(2)
      ? { kind: "appHoldMode", account, isHedged }
      : { kind: "holdMode", client, account: OTHER_NAME[account], isHedged };
    const { whose, cancelOpen } = { whose: oneOf(random, [account, OTHER_NAME[account], null]), cancelOpen: random.oneIn(2) };
    const halt: readonly Action[] = [change, { kind: "halt", account: whose, cancelOpen }];
    return gapped([
      { kind: "resume", account: null },
      { kind: "appFlatten", account },
      { kind: "appHoldMode", account, isHedged: !isHedged },
      { kind: "dryRun", client, account, order: { ...order, isReduceOnly: false } },
      ...(random.oneIn(4) ? halt.toReversed() : halt),
      { kind: "place", client, account, order },
      { kind: "place", client, account: OTHER_NAME[account], order },
      ...[
        { kind: "resume", account: whose } as const,
        { kind: "place", client, account, order: { ...order, isReduceOnly: false } } as const,
        { kind: "place", client, account: OTHER_NAME[account], order } as const,
      ],
    ]);
  },

  losses: (random, { limits }) => {
    const [client, account] = [oneOf(random, CLIENTS), oneOf(random, ACCOUNTS)];
    const order: OrderTerms = { ...orderOf(random, limits.day, between(random, 0.4, 0.95)), isMarket: !random.oneIn(3) };
    const place: Action = { kind: "place", client, account, order };
    const forMs = oneOf(random, [500, 3_000, 9_000]);
    const lost: Action = { kind: "line", faults: { ...NO_FAULTS, lost: between(random, 0.5, 1) }, forMs };
    const kill: Action = { kind: "kill", downMs: random.between(0, 1_000) };
    // The reads before an order take about this long, so that its own answer is the first that is lost.
    const leaves = random.between(5, 80);
    const isKilled = random.oneIn(2);
    return [
      ...gapped([{ kind: "dryRun", client, account, order }]),
      { action: place, gapMs: leaves },
      ...(isKilled ? gapped([kill], 2_000) : gapped([lost], forMs + 500)),
      ...gapped(repeated(random.between(1, 3), [place]), 1_000),
    ];
  },

  files: (random, { limits }) => {
    const [client, account] = [oneOf(random, CLIENTS), oneOf(random, ACCOUNTS)];
    const terms = { ...orderOf(random, limits.day, between(random, 0.05, 0.3)), distance: oneOf(random, [0, 0.03]) };
    const order: OrderTerms = { ...terms, isMarket: random.oneIn(3) };
    const place: Action = { kind: "place", client, account, order };
    const cancel: Action = { kind: "cancel", client, account, pick: 0 };
    const close: Action = { kind: "place", client, account, order: { ...order, isMarket: true, isReduceOnly: true } };
    const lost: Action = { kind: "line", faults: { ...NO_FAULTS, lost: between(random, 0.3, 1) }, forMs: 2_000 };
    const power: Action = { kind: "power", downMs: random.between(0, 3_000) };
    const forMs = oneOf(random, [300, 3_000, 12_000]);
    // An order, its answer and the end of its entry take about this long.
    const ends = random.between(5, 120);
    return [
      ...gapped([{ kind: "dryRun", client, account, order }, ...(random.oneIn(3) ? [lost] : [])]),
      { action: place, gapMs: ends },
      ...(random.oneIn(2) ? gapped([power], 2_000) : gapped([{ kind: "disk", forMs }, place, cancel, close], 700)),
      ...(random.oneIn(3) ? gapped([power], 2_000) : []),
      ...gapped(repeated(random.between(1, 3), [place, cancel]), 1_000),
    ];
  },

  upgrades: (random, { limits }) => {
    const [client, account] = [oneOf(random, CLIENTS), oneOf(random, ["classic", "classic", "classic2", "main"] as const)];
    const order: OrderTerms = { ...orderOf(random, limits.day, between(random, 0.05, 0.3)), distance: oneOf(random, [0, 0.02]) };
    const place: Action = { kind: "place", client, account, order };
    const modify: Action = { kind: "modify", client, account, pick: 0, factor: 1, distance: 0.02 };
    const whose = oneOf(random, [account, null]);
    const halt: readonly Action[] = random.oneIn(4)
      ? [
          { kind: "halt", account: whose, cancelOpen: random.oneIn(2) },
          { kind: "resume", account: whose },
        ]
      : [];
    // Once it has been upgraded there is nothing left to upgrade.
    const upgrade: readonly Action[] = random.oneIn(4) ? [{ kind: "upgrade", account: "classic" }] : [];
    return gapped(
      [place, ...upgrade, modify, place, ...halt, { kind: "cancel", client, account, pick: 0 }],
      oneOf(random, [60, 400, 2_000]),
    );
  },

  ...LATER_SCENES,
  ...LATEST_SCENES,
  ...NEWEST_SCENES,
};
