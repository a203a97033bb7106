import { ACCOUNTS, type Action, CLIENTS, MARKETS, type OrderTerms } from "./actions.js";
import { NO_FAULTS } from "./line.js";
import { hopping, streamSettings } from "./listening.js";
import type { LATER_THEMES, Profile } from "./profile.js";
import { between, oneOf, type Random } from "./random.js";
import { gapped, orderOf, type Scene } from "./scene.js";

/** Number of places that gateways may have. */
const PLACES = 3;

/** What happens in the themes that came later. */
export const LATER_SCENES: Readonly<Record<keyof typeof LATER_THEMES, (random: Random, profile: Profile) => readonly Scene[]>> = {
  batches: (random, { limits }) => {
    const [client, account, market] = [oneOf(random, CLIENTS), oneOf(random, ACCOUNTS), oneOf(random, MARKETS)];
    const order = (): OrderTerms => ({
      ...orderOf(random, limits.order, between(random, 0.3, 0.9)),
      ...(random.oneIn(2) ? { market } : {}),
      distance: oneOf(random, [0, 0.02]),
      isMarket: random.oneIn(2),
    });
    const orders = Array.from({ length: random.between(2, 5) }, order);
    const place: Action = { kind: "placeSeveral", client, account, orders };
    const cancel: Action = { kind: "cancelSeveral", client, account, count: random.between(1, 6) };
    const all: Action = { kind: random.oneIn(2) ? "cancelAll" : "closeAll", client, account, market };
    const lost: Action = { kind: "line", faults: { ...NO_FAULTS, lost: between(random, 0.3, 1) }, forMs: 2_000 };
    // A batch and the reads before it take about this long.
    const ends = random.between(5, 120);
    return [
      ...(random.oneIn(3) ? gapped([lost]) : []),
      ...(random.oneIn(4) ? [{ action: place, gapMs: ends }, ...gapped([{ kind: "kill", downMs: 500 }], 2_000)] : []),
      ...gapped([place, { kind: "meet", account, pick: 0, share: between(random, 0.2, 1) }, cancel, place, all], 700),
    ];
  },

  races: (random, { limits }) => {
    const [client, account] = [oneOf(random, CLIENTS), oneOf(random, ACCOUNTS)];
    const order: OrderTerms = { ...orderOf(random, limits.open, between(random, 0.2, 0.8)), distance: oneOf(random, [0, 0.01]) };
    const place: Action = { kind: "place", client, account, order };
    const meet: Action = { kind: "meet", account, pick: 0, share: between(random, 0.2, 1) };
    const modify: Action = { kind: "modify", client, account, pick: 0, factor: oneOf(random, [0.5, 1, 1.5]), distance: 0 };
    const cancel: Action = { kind: "cancel", client, account, pick: 0 };
    const whose = oneOf(random, [account, null]);
    const halt: Action = { kind: "halt", account: whose, cancelOpen: random.oneIn(2) };
    const racing = Array.from({ length: random.between(2, 4) }, () => oneOf(random, [meet, meet, modify, cancel, place, halt]));
    return [
      ...gapped([place], 600),
      ...racing.map((action) => ({ action, gapMs: random.between(0, 8) })),
      ...gapped([{ kind: "resume", account: whose }, cancel], 1_500),
    ];
  },

  rolls: (random, { limits }) => {
    const settings = streamSettings(random);
    const trading = (): readonly Scene[] => {
      const [client, account] = [oneOf(random, CLIENTS), oneOf(random, ACCOUNTS)];
      const order = orderOf(random, limits.day, between(random, 0.02, 0.1));
      const place: Action = { kind: "place", client, account, order };
      const meet: Action = { kind: "meet", account, pick: 0, share: between(random, 0.2, 1) };
      return gapped([place, { kind: "intrude", account: "classic", order }, meet, hopping(random)], random.between(100, 900));
    };
    const upgrade: readonly Action[] = random.oneIn(6) ? [{ kind: "upgrade", account: "classic" }] : [];
    return [
      ...gapped(upgrade),
      ...Array.from({ length: PLACES }, (_, replica) => [
        { action: { kind: "restart", downMs: random.between(0, 4_000), settings } as const, gapMs: 500, replica },
        ...trading(),
        ...trading(),
      ]).flat(),
    ];
  },
};
