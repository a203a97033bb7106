import { type Action, CLIENTS, type OrderTerms } from "./actions.js";
import { NO_FAULTS } from "./line.js";
import type { NEWEST_THEMES, Profile } from "./profile.js";
import { between, oneOf, type Random } from "./random.js";
import { gapped, orderOf, type Scene } from "./scene.js";

/** What happens in the themes that are drawn before all others. */
export const NEWEST_SCENES: Readonly<Record<keyof typeof NEWEST_THEMES, (random: Random, profile: Profile) => readonly Scene[]>> =
  {
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
  };
