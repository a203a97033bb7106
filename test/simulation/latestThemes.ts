import { DAY_MS, HOUR_MS, MINUTE_MS } from "@exchange-graph/contract/clock";
import { ACCOUNTS, type Action, CLIENTS, DESTINATIONS, MARKETS, type OrderTerms, type WithdrawalTerms } from "./actions.js";
import { NO_FAULTS } from "./line.js";
import { BOOK_MARKETS, hopping, pushFault, socketFault } from "./listening.js";
import type { LATEST_THEMES, Profile } from "./profile.js";
import { between, oneOf, type Random } from "./random.js";
import { gapped, orderOf, type Scene } from "./scene.js";

const TICK_MS = 200;
const MOST_KEYS = 1_000_000_000;

/** What happens in the themes that came last. */
export const LATEST_SCENES: Readonly<Record<keyof typeof LATEST_THEMES, (random: Random, profile: Profile) => readonly Scene[]>> =
  {
    crossings: (random) => {
      const [client, account] = [oneOf(random, CLIENTS), oneOf(random, ACCOUNTS)];
      const [here, there] = random.oneIn(2) ? [0, 1] : [1, 0];
      const whose = oneOf(random, [account, null]);
      const place = (): Scene => ({
        action: { kind: "place", client, account, order: orderOf(random, undefined, between(random, 0.05, 0.2)) },
        ...{ gapMs: random.between(5, 60), replica: there },
      });
      // Announcements are missed until the line is open again.
      const cut: Action = { kind: "engine", fault: "database cuts its connections", forMs: 0 };
      return [
        ...[place(), place()],
        ...gapped([cut], random.between(0, 60)),
        { action: { kind: "halt", account: whose, cancelOpen: random.oneIn(4) }, gapMs: random.between(5, 60), replica: here },
        ...Array.from({ length: 6 }, place),
        ...gapped([{ kind: "resume", account: whose }], 1_000).map((scene) => ({ ...scene, replica: here })),
      ];
    },

    machines: (random, { limits }) => {
      const byMs = oneOf(random, [DAY_MS, HOUR_MS, 10 * MINUTE_MS, 2_000]);
      const [client, account] = [oneOf(random, CLIENTS), oneOf(random, ACCOUNTS)];
      const order = orderOf(random, limits.day, between(random, 0.02, 0.1));
      const place: Action = { kind: "place", client, account, order };
      const meet: Action = { kind: "meet", account, pick: 0, share: between(random, 0.2, 1) };
      const trading = [place, meet, hopping(random)];
      return gapped(
        [{ kind: "machineClock", byMs: random.oneIn(3) ? byMs : -byMs }, ...trading, ...trading],
        random.between(100, 900),
      );
    },

    tokens: (random) => {
      const [client, account] = [oneOf(random, CLIENTS), oneOf(random, ACCOUNTS)];
      const distance = oneOf(random, [0, 0.03]);
      const order: OrderTerms = { ...orderOf(random, undefined, between(random, 0.02, 0.1)), distance };
      const place: Action = { kind: "place", client, account, order };
      const other: Action = { kind: "place", client: oneOf(random, CLIENTS), account, order };
      const read: Action = { kind: "read", client, account };
      const meet: Action = { kind: "meet", account, pick: 0, share: between(random, 0.2, 1) };
      // More orders at once than the exchange takes in a second: the last ones wait.
      const burst = Array.from({ length: random.between(4, 30) }, (_, at) => (at % 3 === 2 ? other : place));
      const here = random.between(0, 2);
      // The copies of other gateways change now, soon, or after the next change.
      const limited = random.oneIn(2) ? undefined : oneOf(random, ["none", "none", "read"] as const);
      const change = (isGiven: boolean): Scene => ({
        action: {
          ...(limited === undefined
            ? { kind: "token", client, isGiven }
            : { kind: "rights", client, account, rights: isGiven ? "all" : limited }),
          lagMs: oneOf(random, [0, random.between(0, 2_000), random.between(0, 8_000)]),
        },
        gapMs: random.between(0, 900),
        replica: here,
      });
      const restart: Action = { kind: "kill", downMs: random.between(0, 3_000) };
      return [
        ...gapped(burst, random.between(1, 20)),
        change(false),
        ...gapped([...burst.slice(0, random.between(0, 9)), read, meet, place], random.between(1, 500)),
        ...(random.oneIn(5) ? gapped([restart], random.between(0, 2_000)) : []),
        ...gapped([hopping(random), read, place], random.between(100, 1_500)),
        change(true),
        ...gapped([place, read, hopping(random), place], random.between(100, 1_500)),
      ];
    },

    withdrawals: (random) => {
      const client = oneOf(random, CLIENTS);
      const terms = withdrawalTerms(random);
      const withdraw: Action = { kind: "withdraw", client, terms };
      const first = random.between(0, 1);
      // The reads before a withdrawal take about this long, so that its own answer is the first that is lost.
      const leaves = oneOf(random, [0, random.between(0, 20), random.between(5, 120)]);
      const twice: readonly Scene[] = [
        { action: withdraw, gapMs: leaves, replica: first },
        { action: withdraw, gapMs: random.between(0, 30), replica: 1 - first },
      ];
      const forMs = oneOf(random, [500, 3_000, 9_000]);
      const lost: Action = { kind: "line", faults: { ...NO_FAULTS, lost: between(random, 0.3, 1) }, forMs };
      const ends: readonly Scene[] = [
        { action: random.oneIn(2) ? lost : { kind: "kill", downMs: random.between(0, 2_000) }, gapMs: 600, replica: first },
      ];
      const halt: readonly Action[] = [
        { kind: "halt", account: null, cancelOpen: random.oneIn(3) },
        { kind: "withdraw", client, terms: { ...terms, key: random.between(0, MOST_KEYS) } },
        withdraw,
      ];
      const resume: Action = { kind: "resume", account: null };
      const other: Action = { kind: "withdraw", client, terms: withdrawalTerms(random) };
      // A withdrawal of the same content under another key.
      const twin: Action = { kind: "withdraw", client, terms: { ...terms, key: random.between(0, MOST_KEYS) } };
      return [
        ...(random.oneIn(2) ? gapped([{ kind: "allow", isAllowed: random.oneIn(2) }], random.between(0, 50)) : []),
        ...(random.oneIn(3) ? gapped([lost], random.between(0, 30)) : []),
        ...twice,
        ...(random.oneIn(3) ? gapped([twin], random.between(0, 60)) : []),
        ...(random.oneIn(2) ? ends : []),
        ...(random.oneIn(3) ? gapped([{ kind: "allow", isAllowed: random.oneIn(2) }], random.between(0, 50)) : []),
        ...(random.oneIn(6) ? [...gapped(halt, random.between(5, 900)), ...gapped([twin], 1_500), ...gapped([resume])] : []),
        ...gapped([other], random.between(0, 900)),
        ...twice,
      ];
    },

    amounts: (random, { limits }) => {
      const [client, account] = [oneOf(random, CLIENTS), oneOf(random, ACCOUNTS)];
      const order = (share: number): OrderTerms => ({
        ...orderOf(random, limits.order, share),
        ...{ distance: oneOf(random, [0, 0.01, 0.03]), isMarket: random.oneIn(3) },
      });
      const placed = (): readonly Action[] => {
        const place: Action = { kind: "place", client, account, order: order(between(random, 0.1, 1.8)) };
        const modify: Action = { kind: "modify", client, account, pick: 0, factor: oneOf(random, [0.5, 1, 1.5]), distance: 0.01 };
        const meet: Action = { kind: "meet", account, pick: 0, share: between(random, 0.2, 1) };
        return [place, ...(random.oneIn(2) ? [modify] : []), ...(random.oneIn(2) ? [meet] : [])];
      };
      const amounts = (): Action => ({ kind: "amounts", times: oneOf(random, [0.1, 0.4, 0.7, 1, 1, 2]) });
      // More orders at once than the exchange takes in a second: those that wait are sent under other limits.
      const small: Action = { kind: "place", client, account, order: { ...order(0.15), distance: 0.03, isMarket: false } };
      const burst = Array.from({ length: 16 }, () => small);
      return [
        ...gapped([amounts()], random.between(0, 500)),
        ...gapped(placed(), random.between(0, 300)),
        { action: amounts(), gapMs: random.between(0, 15) },
        ...gapped(placed(), random.between(0, 40)),
        { action: amounts(), gapMs: random.between(0, 15) },
        ...gapped(placed(), 400),
        ...(random.oneIn(3) ? [...gapped(burst, 1), ...gapped([amounts()], 1_500)] : []),
        ...gapped([random.oneIn(2) ? { kind: "cancel", client, account, pick: 0 } : { kind: "appFlatten", account }], 500),
      ];
    },

    books: (random, { streams }) => {
      const [client, account, market] = [oneOf(random, CLIENTS), oneOf(random, ACCOUNTS), oneOf(random, BOOK_MARKETS)];
      const distance = oneOf(random, [0, 0.0002, 0.002, 0.01]);
      const order: OrderTerms = { ...orderOf(random, undefined, between(random, 0.05, 2)), market, distance };
      const ends: Action = random.oneIn(2)
        ? { kind: "cancel", client, account, pick: 0 }
        : { kind: "meet", account, pick: 0, share: between(random, 0.2, 1) };
      const suffers = oneOf(random, [
        () => socketFault(random),
        () => pushFault(random, streams?.isLossy === true),
        () => hopping(random),
      ]);
      return [
        ...gapped(random.oneIn(2) ? [suffers()] : [], random.between(0, 800)),
        ...gapped([{ kind: "place", client, account, order }], random.between(100, 2_500)),
        ...gapped([ends], random.between(100, 6_000)),
      ];
    },

    triggers: (random, { limits }) => {
      const [client, account] = [oneOf(random, CLIENTS), oneOf(random, ACCOUNTS)];
      // A Classic account has trigger orders on futures only, and other users have more of them.
      const futures = MARKETS.filter(({ category }) => category.endsWith("FUTURES"));
      const order: OrderTerms = {
        ...orderOf(random, limits.order, between(random, 0.1, 0.9)),
        ...(random.oneIn(4) ? {} : { market: oneOf(random, futures) }),
        isMarket: random.oneIn(2),
      };
      const reachedIn = random.between(4, 30);
      const place: Action = { kind: "placePlan", client, account, key: random.between(0, MOST_KEYS), order, reachedIn };
      const modify = (): Action => ({
        ...{ kind: "modifyPlan", client, account, pick: random.oneIn(5) ? 1 : 0 },
        ...{ factor: oneOf(random, [0.3, 0.6, 1, 1.5]), reachedIn: random.between(1, 30) },
      });
      const cancel: Action = { kind: "cancelPlan", client, account, pick: random.between(0, 1) };
      const halt = { kind: "halt", account: oneOf(random, [account, null]), cancelOpen: random.oneIn(2) } as const;
      const isHalted = random.oneIn(5);
      // Its price is reached at some time until then.
      const reachedMs = random.between(0, reachedIn * TICK_MS);
      const forMs = oneOf(random, [300, 3_000]);
      const faults = { ...NO_FAULTS, lost: between(random, 0, 0.5), reset: between(random, 0, 0.5) };
      const lost: Action = { kind: "line", faults, forMs };
      const first = random.between(0, 1);
      const racing = Array.from({ length: random.between(1, 3) }, () => (random.oneIn(4) ? cancel : modify()));
      return [
        ...(random.oneIn(6) ? gapped([lost], random.between(0, 30)) : []),
        { action: place, gapMs: random.between(0, 20), replica: first },
        ...(random.oneIn(2) ? [{ action: place, gapMs: 0, replica: 1 - first }] : []),
        ...(random.oneIn(6) ? [{ action: { kind: "kill", downMs: 300 } as const, gapMs: 400, replica: first }] : []),
        ...(random.oneIn(3) ? gapped([modify()], random.between(100, 300)) : []),
        ...gapped([{ kind: "meet", account, pick: 0, share: between(random, 0.2, 1) }], reachedMs),
        ...(random.oneIn(3) ? gapped([lost], 0) : []),
        ...racing.map((action) => ({ action, gapMs: random.between(0, 60) })),
        ...(isHalted ? [...gapped([halt, modify()], random.between(5, 400)), ...gapped([place], 1_500)] : []),
        ...gapped(isHalted ? [{ kind: "resume", account: halt.account }] : [], 500),
        ...gapped([{ kind: "meet", account, pick: 0, share: between(random, 0.2, 1) }, place], 600),
      ];
    },
  };

const withdrawalTerms = (random: Random): WithdrawalTerms => ({
  key: random.between(0, MOST_KEYS),
  isNamed: random.oneIn(2),
  subAccount: random.between(0, 1),
  to: random.oneIn(10) ? DESTINATIONS[3] : oneOf(random, DESTINATIONS.slice(0, 3)),
  coin: oneOf(random, ["USDT", "TRX"] as const),
  amount: oneOf(random, ["2", "5.5", `${random.between(3, 900)}.${random.between(1, 999)}`]),
});
