import {
  ACCOUNTS,
  type Action,
  CLIENTS,
  type ListenerTerms,
  MARKETS,
  type PushFault,
  type StreamSettings,
  TOPICS,
  type Topic,
} from "./actions.js";
import { between, oneOf, type Random } from "./random.js";
import type { SocketFault } from "./sockets.js";

/** How clients listen in a run, and what happens to streams. */

/** Settings of a gateway. */
export const streamSettings = (random: Random): StreamSettings => ({
  live: oneOf(random, ["auto", "all", "none", "none"] as const),
  publicApi: oneOf(random, ["v3", "v3", "v2"] as const),
});

/** Figures of accounts follow prices, which takes most of the time of a run that has them. */
const MARKED: readonly Topic[] = ["positions", "balances"];

/** The first subscriptions. */
export function listenActions(random: Random): readonly Action[] {
  const drawn = Array.from({ length: random.between(1, 5) }, () => oneOf(random, TOPICS));
  const cheap = drawn.filter((topic) => !MARKED.includes(topic));
  const marked = random.oneIn(2) ? [oneOf(random, MARKED)] : [];
  return ["orders" as const, "fills" as const, ...cheap, ...marked].map((topic): Action => {
    const isSeveral = random.oneIn(MARKED.includes(topic) ? 12 : 4);
    const terms: ListenerTerms = {
      client: oneOf(random, CLIENTS),
      topic,
      accounts: isSeveral ? ACCOUNTS : [oneOf(random, ACCOUNTS)],
      market: oneOf(
        random,
        MARKETS.filter(({ category }) => category !== "MARGIN"),
      ),
      isLatest: topic !== "fills" && random.oneIn(3),
    };
    return { kind: "listen", terms, place: random.between(0, 1) };
  });
}

/** Markets whose books change by the orders of clients, too. */
export const BOOK_MARKETS = [
  { category: "USDT-FUTURES", symbol: "BTCUSDT" },
  { category: "SPOT", symbol: "ETHUSDT" },
] as const;

/** Subscriptions to books of several depths. */
export const bookActions = (random: Random): readonly Action[] =>
  Array.from({ length: random.between(3, 6) }, (): Action => {
    const terms: ListenerTerms = {
      ...{ client: oneOf(random, CLIENTS), topic: "book", accounts: [] },
      ...{ market: oneOf(random, BOOK_MARKETS), depth: oneOf(random, ["L1", "L5", "L15", "L50", "FULL", "FULL"] as const) },
      isLatest: random.oneIn(3),
    };
    return { kind: "listen", terms, place: random.between(0, 1) };
  });

/** One client's subscription to each topic of either user, and to a ticker and a book. */
export const tenListeners = (): readonly Action[] =>
  (["main", "classic"] as const).flatMap((account, place) =>
    TOPICS.flatMap((topic): readonly Action[] => {
      const isPublic = topic === "ticker" || topic === "book";
      if (isPublic && account !== "main") return [];
      const terms = { client: CLIENTS[place] ?? CLIENTS[0], topic, accounts: [account], market: BITCOIN, isLatest: false };
      return [{ kind: "listen", terms, place: 0 }];
    }),
  );
const BITCOIN = { category: "USDT-FUTURES", symbol: "BTCUSDT" } as const;

/** A listener leaves for a moment or longer, or reads nothing. */
export function hopping(random: Random): Action {
  const listener = random.between(0, 9);
  if (random.oneIn(6)) return { kind: "sluggish", listener, forMs: random.between(100, 20_000) };
  return { kind: "hop", listener, place: random.between(0, 1), awayMs: oneOf(random, [0, 50, 500, 5_000, 20_000]) };
}

export function socketFault(random: Random): Action {
  const share = oneOf(random, [0.3, 1]);
  const forMs = oneOf(random, [200, 2_000, 4_000, 9_000, 20_000]);
  const fault = oneOf<SocketFault>(random, [
    { kind: "cut", share, forMs: oneOf(random, [0, 1_000, forMs]) },
    { kind: "frozen", share, forMs },
    { kind: "halfOpen", share, end: oneOf(random, ["client", "server"] as const) },
    { kind: "slow", share, delayMs: oneOf(random, [30, 300, 2_000]), forMs },
  ]);
  return { kind: "sockets", fault };
}

/** Faults of pushes after which everything is right again at once, and those after which it is not. */
export function pushFault(random: Random, isLossy: boolean): Action {
  const harmless: readonly PushFault[] = [
    { kind: "repeat" },
    { kind: "silent" },
    { kind: "drop" },
    { kind: "wrong-checksum" },
    { kind: "delay", delayMs: random.between(1, 1_500) },
  ];
  const fault = oneOf<PushFault>(random, isLossy ? [...harmless, { kind: "skip" }, { kind: "reorder" }] : harmless);
  return { kind: "pushes", fault, probability: between(random, 0.02, 0.3), forMs: random.between(500, 10_000) };
}
