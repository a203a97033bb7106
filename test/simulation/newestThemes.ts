import { ACCOUNTS, type Action, CLIENTS, MARKETS, type OrderTerms } from "./actions.js";
import { NO_FAULTS } from "./line.js";
import type { ACCOUNT_THEMES, COPY_THEMES, NEWEST_THEMES, Profile } from "./profile.js";
import { between, oneOf, type Random } from "./random.js";
import { gapped, orderOf, type Scene } from "./scene.js";
import { POSITIONS_MARKET, SETTING_KEYS } from "./settings.js";

/** What happens in the themes that are drawn before all others. */
export const NEWEST_SCENES: Readonly<
  Record<
    keyof typeof NEWEST_THEMES | keyof typeof ACCOUNT_THEMES | keyof typeof COPY_THEMES,
    (random: Random, profile: Profile) => readonly Scene[]
  >
> = {
  switches: (random) => {
    const client = oneOf(random, CLIENTS);
    const account = oneOf(random, ["main", "main2"] as const);
    const order: OrderTerms = { ...orderOf(random, undefined, between(random, 0.05, 0.2)), distance: 0.04 };
    const place: Action = { kind: "place", client, account, order };
    const arm = (seconds = oneOf(random, [5, 5, 8, 15, 30, 60])): Action => ({ kind: "arm", client, account, seconds });
    const faults = { ...NO_FAULTS, lost: between(random, 0, 0.6), late: between(random, 0, 0.9), delayMs: 4_000 };
    const suffering = (): Action =>
      oneOf(random, [
        { kind: "kill", downMs: random.between(0, 8_000) },
        { kind: "kill", downMs: 20_000 },
        { kind: "pause", forMs: oneOf(random, [1_000, 4_000, 15_000]) },
        { kind: "line", faults, forMs: oneOf(random, [500, 3_000, 9_000]) },
        { kind: "rotate", account: oneOf(random, ["main", "main2"] as const) },
        {
          kind: "engine",
          fault: oneOf(random, ["database is killed", "database pauses"] as const),
          forMs: random.between(500, 15_000),
        },
      ] as const);
    const here = random.between(0, 2);
    const there = here + random.between(0, 1);
    const whose = oneOf(random, [account, null]);
    const halt: readonly Scene[] = [
      ...gapped([{ kind: "halt", account: whose, cancelOpen: random.oneIn(2) }], random.between(100, 9_000)),
      ...gapped([arm()], 50),
      ...gapped([{ kind: "resume", account: whose }], 500),
    ];
    const change: readonly Scene[] = [
      { action: random.oneIn(3) ? suffering() : arm(), gapMs: random.between(0, 40), replica: there },
      { action: oneOf(random, [arm(), arm(0)]), gapMs: random.between(0, 9_000), replica: oneOf(random, [here, there]) },
    ];
    return [
      ...gapped([place], random.between(50, 400)),
      { action: arm(), gapMs: oneOf(random, [random.between(0, 500), random.between(0, 20_000)]), replica: here },
      ...gapped(random.oneIn(3) ? [] : [suffering()], oneOf(random, [random.between(0, 300), random.between(0, 20_000)])),
      ...(random.oneIn(5) ? halt : []),
      ...change,
      ...gapped(random.oneIn(2) ? [suffering()] : [], random.between(0, 12_000)),
      { action: arm(random.oneIn(2) ? 0 : undefined), gapMs: random.between(0, 15_000), replica: there },
    ];
  },

  settings: (random) => {
    const client = oneOf(random, CLIENTS);
    const account = oneOf(random, ["classic", "classic2"] as const);
    const key = random.between(0, SETTING_KEYS - 1);
    const set = (which = key, whose = client): Action => ({ kind: "setting", client: whose, key: which });
    const first = random.between(0, 2);
    const other = first + random.between(0, 1);
    const [faults, forMs] = [{ ...NO_FAULTS, lost: between(random, 0.2, 1) }, oneOf(random, [300, 2_000, 9_000])];
    const suffering = (): Action =>
      oneOf(random, [
        { kind: "kill", downMs: random.between(0, 3_000) },
        { kind: "line", faults, forMs },
        { kind: "line", faults: { ...NO_FAULTS, late: between(random, 0.2, 1), delayMs: 20_000 }, forMs },
        { kind: "pause", forMs: oneOf(random, [500, 4_000]) },
        { kind: "rotate", account: oneOf(random, ["main", "main2", "classic", "classic2"] as const) },
      ] as const);
    const mode: Action = { kind: "marginMode", client, account, isIsolated: !random.oneIn(5) };
    const order: OrderTerms = {
      ...orderOf(random, undefined, between(random, 0.1, 1)),
      ...{ market: POSITIONS_MARKET, side: "buy", posSide: "long", isMarket: true },
    };
    const opened: readonly Action[] = [
      ...(random.oneIn(3) ? [{ kind: "appFlatten", account } as const] : []),
      mode,
      { kind: "place", client, account, order },
    ];
    const whose = oneOf(random, [account, null]);
    const halt: readonly Action[] = [
      { kind: "halt", account: whose, cancelOpen: false },
      set(random.between(0, SETTING_KEYS - 1)),
      { kind: "resume", account: whose },
    ];
    return [
      ...(random.oneIn(2) ? gapped(opened, random.between(100, 900)) : []),
      ...(random.oneIn(2) ? gapped([suffering()], random.between(0, 40)) : []),
      { action: set(), gapMs: oneOf(random, [0, random.between(0, 20), random.between(5, 120)]), replica: first },
      { action: set(key, oneOf(random, [client, oneOf(random, CLIENTS)])), gapMs: random.between(0, 60), replica: other },
      ...(random.oneIn(3) ? gapped([suffering()], random.between(0, 2_000)) : []),
      { action: set(random.between(0, SETTING_KEYS - 1)), gapMs: random.between(0, 900), replica: other },
      ...(random.oneIn(5) ? gapped(halt, random.between(5, 1_500)) : []),
      { action: set(), gapMs: random.between(0, 4_000), replica: oneOf(random, [first, other]) },
    ];
  },
  copies: (random, { limits }) => {
    const [client, account, market] = [oneOf(random, CLIENTS), oneOf(random, ACCOUNTS), oneOf(random, MARKETS)];
    const order = (): OrderTerms => ({
      ...orderOf(random, limits.day, between(random, 0.02, 0.15)),
      ...{ market, distance: oneOf(random, [0, 0.01, 0.03]), isMarket: random.oneIn(4) },
    });
    const whose = oneOf(random, [account, null]);
    const act = (): readonly Action[] =>
      oneOf<readonly Action[]>(random, [
        [{ kind: "place", client, account, order: order() }],
        [{ kind: "place", client, account, order: { ...order(), isReduceOnly: true } }],
        [{ kind: "placeSeveral", client, account, orders: [order(), order()] }],
        [{ kind: "modify", client, account, pick: 0, factor: oneOf(random, [0.5, 1, 1.5]), distance: 0.01 }],
        [{ kind: "cancel", client, account, pick: 0 }],
        [{ kind: "cancelSeveral", client, account, count: 3 }],
        [{ kind: oneOf(random, ["cancelAll", "closeAll"] as const), client, account, market }],
        [{ kind: "placePlan", client, account, key: random.between(0, 1_000_000), order: order(), reachedIn: 20 }],
        [{ kind: "modifyPlan", client, account, pick: 0, factor: 1.5, reachedIn: 30 }],
        [{ kind: "cancelPlan", client, account, pick: 0 }],
        [{ kind: "meet", account, pick: 0, share: between(random, 0.2, 1) }],
        [{ kind: "convert", client, account, notional: 50 }],
        [
          { kind: "halt", account: whose, cancelOpen: random.oneIn(2) },
          { kind: "resume", account: whose },
        ],
      ]);
    const acts = (count: number): readonly Action[] => Array.from({ length: count }, act).flat();
    const faults = { ...NO_FAULTS, doubled: between(random, 0.3, 1), lost: random.oneIn(2) ? 0.1 : 0 };
    const doubled: Action = { kind: "line", faults, forMs: oneOf(random, [2_000, 6_000]) };
    return [
      ...gapped([{ kind: "place", client, account, order: order() }, doubled], 300),
      ...gapped(acts(random.between(3, 7)), random.between(20, 700)),
      ...(random.oneIn(6) ? gapped([{ kind: "kill", downMs: 300 }], 2_000) : []),
    ];
  },
};
