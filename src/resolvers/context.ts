import type { Curves } from "../datasources/history/index.js";
import { type DataSource, type Requester, RequestReads, RequestWrites } from "../datasources/index.js";
import { type KeptList, keptRows, type ReadingOptions } from "../datasources/reads/index.js";
import type { Streams } from "../datasources/streams/index.js";
import type { WriteAuthor } from "../datasources/writes/index.js";
import type { MutationEnd } from "../instrumentation/events.js";
import type { EstimateState, MarketList, OwnList } from "../schema/cost.js";
import { ProductCategoryInput } from "../schema/enums/category.js";
import { type Principal, Rights } from "./access/principal.js";

/** The client of an operation's mutations, with callbacks for their ends. */
export interface MutationAuthor extends WriteAuthor {
  ended(mutation: Omit<MutationEnd, "origin">): void;
}

export interface RequestContext {
  readonly principal: Principal;
  /** The exchange with the accounts that the client sees. */
  readonly exchange: DataSource;
  readonly reads: RequestReads;
  readonly writes: RequestWrites;
  /** The exchange's streams; `undefined` when its stream address is not known. */
  readonly streams: Streams | undefined;
  /** What accounts were worth; `undefined` if nothing is recorded. */
  readonly history: Curves | undefined;
  /** Set for a mutation. */
  readonly author?: MutationAuthor | undefined;
}

/** A context for one operation; never shared between two. */
export const createContext = (
  exchange: DataSource,
  principal: Principal,
  streams?: Streams,
  author?: MutationAuthor,
  requester?: Requester,
  history?: Curves,
  reading?: Pick<ReadingOptions, "patienceMs" | "priority">,
): RequestContext => {
  const visible = visibleExchange(exchange, principal.rights);
  const reads = new RequestReads(visible, { ...reading, requester, live: streams?.live });
  return {
    principal,
    exchange: visible,
    reads,
    writes: new RequestWrites(visible.writes, reads, author),
    streams,
    history,
    author,
  };
};

const viewsByExchange = new WeakMap<DataSource, WeakMap<Rights, DataSource>>();

/**
 * The exchange with the visible accounts only: resolvers look accounts up here, so that other accounts do not exist for the
 * client. Made once per rights.
 */
function visibleExchange(exchange: DataSource, rights: Rights): DataSource {
  if (rights === Rights.ALL) return exchange;
  const views = viewsByExchange.get(exchange) ?? new WeakMap<Rights, DataSource>();
  viewsByExchange.set(exchange, views);
  const view = views.get(rights) ?? limited(exchange, rights);
  views.set(rights, view);
  return view;
}

function limited(exchange: DataSource, rights: Rights): DataSource {
  const seen = () => exchange.accounts.filter(({ name }) => rights.sees(name));
  return {
    ...exchange,
    get accounts() {
      return seen();
    },
    get signer() {
      return exchange.signer;
    },
    account: (name) => (name === undefined || name === null ? seen()[0] : seen().find((one) => one.name === name)),
  };
}

/** Cached answers have to stay valid for an operation's time, or for a minute if that is unlimited. */
const LONGEST_MS = 60_000;

const CATEGORIES = Object.values(ProductCategoryInput);

/** Lists that are not cached for the length of an operation. */
const FLEETING = new Set<MarketList | KeptList>([
  "chains",
  "classicTickers",
  "fundingRates",
  "loanTerms",
  "openInterests",
  "tickers",
]);
const isKept = (list: Parameters<EstimateState["kept"]>[0]): list is KeptList => !FLEETING.has(list);

/** The data source's current state, for estimates. No upstream call. */
export function estimateStateOver(exchange: DataSource, streams?: Streams, isRecorded = false): EstimateState {
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
