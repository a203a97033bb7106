import type { Step, StreamSettings } from "./actions.js";

/**
 * What a history is about. A mixture rarely has several steps of one kind in a row with limits that are just as tight, so others
 * have little else than one kind of thing.
 */
export const THEMES = {
  mixture: 0.4,
  /** Clients that listen, over connections that suffer. */
  listeners: 0.2,
  /** Orders that fill in part and are replaced, near a limit of the day. */
  refills: 0.1,
  /** Resting orders of a client that are replaced, near its limit of what is open. */
  replacements: 0.1,
  /** An exchange whose clock is a day ahead and right again, with a limit of the day that is used up. */
  clocks: 0.05,
  /** A position mode that changes just before a halt and the close of a position. */
  modes: 0.05,
  /** Orders whose answers are lost, by the network or by the end of the process, near a limit of the day. */
  losses: 0.06,
  /** A journal's file whose disk is full, and a machine that loses power. */
  files: 0.02,
  /** A Classic user whose account becomes a unified one. */
  upgrades: 0.02,
} as const;

/** Themes that came later, with a draw of their own: most seeds keep the history that they had. */
export const LATER_THEMES = {
  /** Orders that are placed, cancelled and closed several at once. */
  batches: 0.04,
  /** A cancel, a change or a halt in the milliseconds in which an order trades. */
  races: 0.04,
  /** One gateway after the other is started with other settings, while clients trade and listen. */
  rolls: 0.04,
} as const;

/** Themes that came after those, with a draw of their own again, which is made first. */
export const LATEST_THEMES = {
  /** Withdrawals from a broker's sub-accounts, each under its key at several gateways, while addresses and halts change. */
  withdrawals: 0.03,
  /** A halt at one gateway and orders at another, which cannot hear of it in time. */
  crossings: 0.02,
  /** Trigger orders that are changed, cancelled and halted in the milliseconds in which their price is reached. */
  triggers: 0.03,
  /** Limits whose amounts are replaced while orders wait, rest and trade. */
  amounts: 0.03,
  /** Order books of every depth, in which clients' orders rest, over connections that suffer. */
  books: 0.03,
  /** A gateway whose machine's clock is set ahead or back, while clients trade and listen. */
  machines: 0.02,
  /** Clients whose tokens are revoked or expire, or whose rights on an account are taken away, and given again while their orders wait and they listen. */
  tokens: 0.02,
} as const;

/** Themes with a draw that is made before these. */
export const NEWEST_THEMES = {
  /** A dead man's switch that is armed, changed and disarmed at several gateways, which end, pause and lose their lines. */
  switches: 0.03,
} as const;

/** Themes with a draw that is made before those. */
export const ACCOUNT_THEMES = {
  /** Leverage, margin modes and margin of positions, each change under its key at several gateways. */
  settings: 0.03,
} as const;

/** Themes with a draw that is made before all others. */
export const COPY_THEMES = {
  /** Calls that a proxy sends twice: orders, batches, changes, cancels, trigger orders and halts. */
  copies: 0.02,
} as const;
export type Theme =
  | keyof typeof THEMES
  | keyof typeof LATER_THEMES
  | keyof typeof LATEST_THEMES
  | keyof typeof NEWEST_THEMES
  | keyof typeof ACCOUNT_THEMES
  | keyof typeof COPY_THEMES;

/** Kinds of things, and how often a mixture has them. */
export const HAPPENINGS = {
  faults: 0.4,
  kills: 0.35,
  halts: 0.4,
  modes: 0.25,
  app: 0.35,
  renames: 0.2,
  clocks: 0.15,
  bursts: 0.12,
  pricedMarkets: 0.2,
  conversions: 0.3,
  listeners: 0.25,
  sockets: 0.5,
  pushes: 0.4,
  restarts: 0.3,
  pauses: 0.25,
  drift: 0.3,
  maintenance: 0.2,
  rotations: 0.25,
  reads: 0.5,
} as const;
export type Happening = keyof typeof HAPPENINGS;

/** Which kinds of things happen in a history: a random part of all, so that each also happens without the others. */
export interface Profile {
  readonly theme: Theme;
  readonly replicas: 1 | 2 | 3;
  /** Limits by kind, as text of an amount in USDT; coins at the same value, or none. */
  readonly limits: {
    readonly order: number | undefined;
    readonly open: number | undefined;
    readonly day: number | undefined;
    readonly inCoins: boolean;
    /** Who has them: the accounts, the clients, or both. */
    readonly of: "accounts" | "clients" | "both";
    /** Whether only the first name of each user has them. */
    readonly isOneNamed: boolean;
  };
  readonly happens: ReadonlySet<Happening>;
  /** Undefined without listeners. */
  readonly streams:
    | (StreamSettings & {
        /** Whether pushes are lost, or come after their successors: what is live may then differ from the exchange. */
        readonly isLossy: boolean;
      })
    | undefined;
}

/** A history: everything that a run does is determined by it. */
export interface History {
  readonly seed: number;
  readonly minutes: number;
  readonly profile: Profile;
  /** Whether several gateways share a Redis, beside their database. */
  readonly hasRedis: boolean;
  /** Time between two movements of the exchange's market. Default: that of its ticks. */
  readonly marketMs?: number;
  readonly steps: readonly Step[];
}

/** What there is in a history, by name. */
export const contentsOf = ({ profile, hasRedis, steps }: History): ReadonlySet<string> =>
  new Set([
    profile.theme,
    ...profile.happens,
    ...(profile.replicas > 1 ? ["replicas"] : []),
    ...(hasRedis ? ["redis"] : []),
    ...(["order", "open", "day"] as const).filter((kind) => profile.limits[kind] !== undefined).map((kind) => `${kind} limit`),
    ...(profile.limits.isOneNamed ? ["one name"] : []),
    ...steps.flatMap(({ action }) => (action.kind === "engine" ? [action.fault] : [])),
  ]);
