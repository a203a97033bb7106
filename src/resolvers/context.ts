import type { Curves } from "../datasources/history/index.js";
import { type Exchange, type Requester, RequestReads, RequestWrites } from "../datasources/index.js";
import type { ReadingOptions } from "../datasources/reads/index.js";
import type { Streams } from "../datasources/streams/index.js";
import type { WriteAuthor } from "../datasources/writes/index.js";
import type { MutationEnd } from "../instrumentation/events.js";
import { type Principal, Rights } from "./access/principal.js";

/** The client of an operation's mutations, with callbacks for their ends. */
export interface MutationAuthor extends WriteAuthor {
  ended(mutation: Omit<MutationEnd, "origin">): void;
}

/** The context of one operation. */
export interface RequestContext {
  readonly principal: Principal;
  /** The exchange with the accounts that the client sees. */
  readonly exchange: Exchange;
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
  exchange: Exchange,
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

const viewsByExchange = new WeakMap<Exchange, WeakMap<Rights, Exchange>>();

/**
 * The exchange with the visible accounts only: resolvers look accounts up here, so that other accounts do not exist for the
 * client. Made once per rights.
 */
function visibleExchange(exchange: Exchange, rights: Rights): Exchange {
  if (rights === Rights.ALL) return exchange;
  const views = viewsByExchange.get(exchange) ?? new WeakMap<Rights, Exchange>();
  viewsByExchange.set(exchange, views);
  const view = views.get(rights) ?? limited(exchange, rights);
  views.set(rights, view);
  return view;
}

function limited(exchange: Exchange, rights: Rights): Exchange {
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
