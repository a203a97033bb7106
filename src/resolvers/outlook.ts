import type { Exchange } from "../datasources/index.js";
import { type KeptList, keptRows } from "../datasources/reads/index.js";
import type { Streams } from "../datasources/streams/index.js";
import type { MarketList, Outlook, OwnList } from "../schema/cost.js";
import { ProductCategoryInput } from "../schema/enums/category.js";

/** Cached answers have to stay valid for an operation's time, or for a minute if that is unlimited. */
const LONGEST_MS = 60_000;

const CATEGORIES = Object.values(ProductCategoryInput);

/** Prices are not cached for so long; of the others it is not known. */
const FLEETING = new Set<MarketList | KeptList>([
  "chains",
  "classicTickers",
  "fundingRates",
  "loanTerms",
  "openInterests",
  "tickers",
]);
const isKept = (list: Parameters<Outlook["kept"]>[0]): list is KeptList => !FLEETING.has(list);

/** The data source's current state, for estimates. No upstream call. */
export function outlookOver(exchange: Exchange, streams?: Streams, isRecorded = false): Outlook {
  const forMs = Math.min(exchange.operationMs, LONGEST_MS);
  const own: Readonly<Record<OwnList, () => number>> = {
    budgets: () => exchange.scheduler.buckets().length + 1,
    connections: () => streams?.gauges().connections.length ?? 0,
    liveLists: () => streams?.gauges().live.lists().length ?? 0,
    histories: () => (isRecorded ? 1 : 0),
    breakers: () => exchange.reader.breakers().length,
    sharedCounters: () => exchange.scheduler.neighbours.shared().length,
  };
  return {
    now: () => exchange.clock.now(),
    accounts: () =>
      exchange.accounts.map((account) => ({
        name: account.name,
        user: exchange.knownUsers.userOf(account.name),
        mode: exchange.modes.cachedModeFor(account, forMs),
      })),
    kept(list, category) {
      const listed = CATEGORIES.find((one) => one === category);
      return isKept(list) ? keptRows(exchange, list, listed, forMs) : undefined;
    },
    own: (list) => own[list](),
  };
}
