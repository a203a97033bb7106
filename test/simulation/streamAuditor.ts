import { exact, plain } from "@exchange-graph/contract/decimal";
import type { SandboxInMemory } from "@exchange-graph/sandbox";
import { TICK_MS } from "@exchange-graph/sandbox/world/market/path";
import type { Fill } from "@exchange-graph/sandbox/world/orders/order";
import { LEVELS } from "./actions.js";
import { Books, type ShownBook } from "./books.js";
import type { Listener, ListenerEvent, ListenerObserver, ServingGateway } from "./listener.js";
import { balanceKey, NOTHING, orderKey, type Past, positionKey } from "./past.js";
import type { VirtualTime } from "./time.js";

export const STREAM_INVARIANTS = [
  "once",
  "contiguous",
  "forward",
  "live or stale",
  "book",
  "own account",
  "read your writes",
  "settles",
  "lives again",
  "nothing left",
] as const;
export type StreamInvariant = (typeof STREAM_INVARIANTS)[number];

type Row = Readonly<Record<string, string | null>>;

/** What a listener has of one account, or of one symbol. */
interface Seen {
  rows: Map<string, string>;
  /** The user whose rows they are. */
  uid: string | undefined;
  /** Since when it is not stale, world time; undefined while it is. */
  liveSince: number | undefined;
  heardAt: number;
}

/** What a listener has had of a topic's executions. */
interface Executions {
  readonly got: Set<string>;
  /** Those that came while the topic was stale: they do not move the position, and come again after a resume. */
  readonly provisional: Set<string>;
  /** World time from which on it has to get everything, by user. */
  readonly since: Map<string, number>;
  readonly gaps: Gap[];
}

/** Times between which events may be missing, as a listener was told; the exchange's time. */
interface Gap {
  readonly from: number;
  readonly to: number;
  /** World times of the statement, and since when its gateway knew the exchange's time. */
  readonly statedAt: number;
  readonly knownSince: number;
}

/** A user of the exchange behind an account, and since when, world time. */
export interface User {
  readonly uid: string;
  readonly since: number;
}

interface Audited {
  /** The gateway of its last session, and whether this one is at another. */
  gateway: ServingGateway | undefined;
  hasMoved: boolean;
  /** World time at which it subscribed last, and the exchange's time then. */
  since: number;
  sinceDate: number;
  readonly seen: Map<string, Seen>;
  /** The version of each order of each account that it had last. */
  readonly versions: Map<string, number>;
  /** By account. */
  readonly executions: Map<string, Executions>;
  isUp: boolean;
  /** The last book that was not said to be stale. */
  book: ShownBook | undefined;
}

/**
 * Time in which what is live has to follow the exchange, ms: a silent connection is noticed after 2.75 s, and what was under way
 * before may be late.
 */
export const LAG_MS = 5_000;
/** Digits of the time that a gap is stated with. */
const GAP_SLACK_MS = 1;

interface Parts {
  readonly time: VirtualTime;
  readonly exchange: SandboxInMemory;
  readonly past: Past;
  /** The user whose account has this name now, and since when; undefined for an unknown name. */
  readonly userOf: (name: string) => User | undefined;
  /** Whether pushes are lost: what is live may then differ. */
  readonly isLossy: boolean;
  readonly fail: (invariant: StreamInvariant, text: string) => void;
  readonly trace: (line: string) => void;
  /** A listener of this client got an event from a gateway, about an account if it has a name. */
  readonly emitted: (client: string, gateway: ServingGateway | undefined, account: string | undefined) => void;
}

/** Judges what listeners hear, by what the exchange had at which time. */
export class StreamAuditor implements ListenerObserver {
  readonly #audited = new Map<Listener, Audited>();
  #heard = 0;
  #jumpedAt = Number.NEGATIVE_INFINITY;
  /** World times of the jumps of the exchange's clock, and the exchange's time before and after each. */
  readonly #jumps: { readonly at: number; readonly from: number; readonly to: number }[] = [];

  readonly #books: Books;

  constructor(private readonly parts: Parts) {
    this.#books = new Books(parts.time, parts.exchange);
  }

  /** Number of events. */
  get heardEvents(): number {
    return this.#heard;
  }

  /** A client is going to listen. */
  listens({ topic, market, depth = "L5" }: Listener["terms"]): void {
    if (topic === "book") this.#books.watch(market, LEVELS[depth]);
  }

  subscribed(listener: Listener, after: string | null): void {
    const audited = this.#of(listener);
    audited.isUp = true;
    audited.hasMoved = audited.gateway !== undefined && audited.gateway !== listener.gateway;
    audited.gateway = listener.gateway;
    audited.since = this.parts.time.now;
    audited.sinceDate = this.parts.exchange.clock.now();
    audited.seen.clear();
    audited.book = undefined;
    this.parts.trace(`${this.parts.time.now} ${listener.name} subscribed after ${after}`);
  }

  left(listener: Listener): void {
    this.#of(listener).isUp = false;
    this.parts.trace(`${this.parts.time.now} ${listener.name} left`);
  }

  heard(listener: Listener, event: ListenerEvent): void {
    this.#heard++;
    const { topic, client } = listener.terms;
    this.parts.trace(`${this.parts.time.now} ${listener.name} ${JSON.stringify(event)}`);
    const shown = event.data?.event;
    this.parts.emitted(client, listener.gateway, (shown?.account as { readonly name: string } | undefined)?.name);
    const stream = event.extensions?.stream;
    if (shown === null || shown === undefined || stream === undefined) return;
    if (topic === "ticker" || topic === "book") {
      this.#public(listener, shown, stream.stale);
      return;
    }
    const account = (shown.account as { readonly name: string }).name;
    const rows = shown.rows as readonly Row[] | null;
    if (rows === null) return;
    const user = this.parts.userOf(account);
    const seen = this.#seen(listener, account, stream.stale);
    if (user === undefined) return;
    // An account that has become another user's is shown without what the former one had.
    if (seen.uid !== user.uid) seen.rows = new Map();
    seen.uid = user.uid;
    if (!listener.terms.isLatest && topic !== "balances" && stream.kind === "snapshot") seen.rows = new Map();
    if (listener.terms.isLatest) seen.rows = new Map();
    for (const row of rows) {
      if (topic === "orders") this.#order(listener, account, user, seen, row);
      else if (topic === "positions")
        seen.rows.set(
          positionKey(user.uid, wireOf(row.category), `${row.symbol}`, `${row.posSide}`.toLowerCase()),
          sizeText(row.qty),
        );
      else if (topic === "balances") seen.rows.set(balanceKey(user.uid, `${row.coin}`), balanceText(row));
    }
    if (topic === "fills") this.#fills(listener, account, user, stream, rows);
  }

  /** The exchange's clock has jumped from this time, and its prices with it. */
  jumped(from: number): void {
    this.#jumpedAt = this.parts.time.now;
    this.#jumps.push({ at: this.#jumpedAt, from, to: this.parts.exchange.clock.now() });
  }

  /** Compares what is live with the exchange. */
  look(): void {
    for (const [listener, audited] of this.#audited) {
      if (!audited.isUp || listener.readsSince > this.parts.time.now - LAG_MS) continue;
      for (const [about, seen] of audited.seen) this.#compare(listener, about, seen, audited);
    }
  }

  /** Every listener has everything now. */
  checkEnd(listeners: readonly Listener[]): void {
    this.look();
    for (const listener of listeners) {
      const audited = this.#audited.get(listener);
      const isLive = audited?.isUp === true && [...audited.seen.values()].every(({ liveSince }) => liveSince !== undefined);
      const isComplete = audited?.seen.size === subjectsOf(listener);
      if (!listener.isUp || !isLive || !isComplete)
        this.parts.fail(
          "lives again",
          `${listener.name} (${listener.terms.topic}) is ${listener.isUp ? "stale or incomplete" : "not subscribed"} long after the faults`,
        );
    }
  }

  #of(listener: Listener): Audited {
    const found = this.#audited.get(listener);
    if (found !== undefined) return found;
    const audited: Audited = {
      seen: new Map(),
      versions: new Map(),
      executions: new Map(),
      isUp: false,
      book: undefined,
      gateway: undefined,
      hasMoved: false,
      since: 0,
      sinceDate: 0,
    };
    this.#audited.set(listener, audited);
    return audited;
  }

  #seen(listener: Listener, about: string, isStale: boolean): Seen {
    const { seen } = this.#of(listener);
    const { now } = this.parts.time;
    const found: Seen = seen.get(about) ?? { rows: new Map(), uid: undefined, liveSince: undefined, heardAt: now };
    seen.set(about, found);
    found.liveSince = isStale ? undefined : (found.liveSince ?? now);
    found.heardAt = now;
    return found;
  }

  #order(listener: Listener, account: string, user: User, seen: Seen, row: Row): void {
    const { past, fail } = this.parts;
    const orderId = `${row.orderId}`;
    const owner = past.ownerOf(orderId);
    // A trigger order of Classic spot is among the orders too.
    if (owner === undefined) return;
    if (owner !== user.uid && this.#isSettled(listener, user.since, seen))
      fail("own account", `${listener.name} got order ${orderId} of ${owner} as one of ${user.uid}`);
    if (owner !== user.uid) return;
    const isOpen = row.status === "NEW" || row.status === "PARTIALLY_FILLED";
    const text = past.shown(orderId, { isOpen, filled: row.cumExecQty ?? "0", price: row.price ?? null, qty: row.qty ?? null });
    const { versions, hasMoved } = this.#of(listener);
    const latest = versions.get(`${account} ${orderId}`) ?? 0;
    // Another gateway may know less, and says that it does.
    const place = past.find(orderKey(orderId), text, hasMoved && seen.liveSince === undefined ? 0 : latest);
    if (place === -1) {
      const earlier = past.find(orderKey(orderId), text);
      fail(
        "forward",
        `${listener.name}: order ${orderId} is "${text}", ${earlier === -1 ? "which it never was" : "and was later already"}`,
      );
    } else versions.set(`${account} ${orderId}`, Math.max(place, latest));
    if (isOpen) seen.rows.set(orderKey(orderId), text);
    else seen.rows.delete(orderKey(orderId));
  }

  #fills(
    listener: Listener,
    account: string,
    user: User,
    { recovered, missed, stale }: NonNullable<NonNullable<ListenerEvent["extensions"]>["stream"]>,
    rows: readonly Row[],
  ): void {
    const { past, fail, time } = this.parts;
    const { executions } = this.#of(listener);
    const found: Executions = executions.get(account) ?? { got: new Set(), provisional: new Set(), since: new Map(), gaps: [] };
    executions.set(account, found);
    const { got, provisional, since, gaps } = found;
    if (recovered === false && missed !== undefined)
      gaps.push({
        from: missed.from === null ? 0 : Date.parse(missed.from) - GAP_SLACK_MS,
        to: Date.parse(missed.to) + GAP_SLACK_MS,
        statedAt: time.now,
        knownSince: listener.gateway?.answeredAt ?? time.now,
      });
    // The stream of an account that has become another user's begins again once it is not stale any more.
    const isOthers = since.size > 0 && stale === true;
    const begin = since.get(user.uid);
    if ((begin === undefined || begin < user.since) && !isOthers) since.set(user.uid, time.now);
    for (const { execId } of rows) {
      const fill = past.fills.get(`${execId}`);
      if (fill === undefined || fill.uid !== user.uid) {
        const owner = fill?.uid ?? "nobody";
        if (since.has(owner)) continue;
        fail("own account", `${listener.name} got execution ${execId} of ${owner} as one of ${user.uid}`);
      } else if (
        got.has(fill.execId) &&
        !this.#isNewAgain(listener, fill) &&
        !(recovered !== undefined && this.#mayRepeat(listener, found, fill.execId, recovered))
      )
        fail("once", `${listener.name} got execution ${execId} twice`);
      got.add(`${execId}`);
      if (stale) provisional.add(`${execId}`);
    }
    if (!stale) provisional.clear();
  }

  /** Two gateways may have received executions in a different order: the last ones may then come again. */
  #mayRepeat(listener: Listener, { provisional }: Executions, execId: string, recovered: boolean): boolean {
    return !recovered || provisional.has(execId) || this.#of(listener).hasMoved;
  }

  /**
   * Whether its stream may have begun after the exchange's clock was set back to before the execution, whose date is then later. An
   * execution may be seen only after the jump that it was before. It may also be dated later than that clock was when it was executed.
   */
  #isNewAgain(listener: Listener, { execId, at: date }: Fill): boolean {
    const { since: subscribed, sinceDate } = this.#of(listener);
    const executed = this.parts.past.seenAt(execId);
    if (date > sinceDate && executed < subscribed) return true;
    const before = this.#jumps.findLast(({ at }) => at <= executed);
    const isAhead = before !== undefined && before.to + executed - before.at < date - 1;
    return isAhead || this.#jumps.some(({ at, to }) => at > executed && at < subscribed && to < date);
  }

  #public(listener: Listener, shown: Readonly<Record<string, unknown>>, isStale: boolean): void {
    const seen = this.#seen(listener, listener.terms.market.symbol, isStale);
    if (listener.terms.topic === "ticker") {
      const ticker = shown.ticker as Row | null;
      if (ticker !== null) seen.rows.set("last", `${ticker.lastPrice}`);
      return;
    }
    const book = shown.orderBook as ShownBook;
    this.#book(listener, book, isStale, this.#of(listener));
    const { asks, bids } = book;
    const [ask, bid] = [asks[0]?.price, bids[0]?.price];
    if (ask !== undefined && bid !== undefined && exact(bid).gte(exact(ask)))
      this.parts.fail("live or stale", `${listener.name}: the book is crossed, ${bid} over ${ask}`);
  }

  #book({ name, terms: { market, depth = "L5" } }: Listener, book: ShownBook, isStale: boolean, audited: Audited): void {
    const before = audited.book;
    audited.book = isStale ? undefined : book;
    if (isStale) return;
    if (before !== undefined && `${book.time}` < `${before.time}`)
      this.parts.fail("forward", `${name}: the book of ${before.time} is followed by that of ${book.time}`);
    if (!this.#books.wasAt(market, LEVELS[depth], book))
      this.parts.fail("book", `${name}: ${market.symbol} (${depth}) was never so at ${book.time}: ${JSON.stringify(book)}`);
  }

  /**
   * Whether the account has this user for so long that nothing of the former one may come, unless it is said to be stale. What a
   * listener reads at last that has read nothing for a while may be from before.
   */
  #isSettled({ isUp, readsSince }: Listener, since: number, { liveSince }: Seen): boolean {
    const sentSince = isUp ? Math.max(since, readsSince) : since;
    return liveSince !== undefined && liveSince > since && this.parts.time.now - sentSince > 1;
  }

  #compare(listener: Listener, about: string, seen: Seen, audited: Audited): void {
    const { time, past, fail, isLossy } = this.parts;
    const from = time.now - LAG_MS;
    if (seen.liveSince === undefined || seen.liveSince > from) return;
    const { topic, market } = listener.terms;
    if (topic === "ticker") {
      const last = seen.rows.get("last");
      if (last !== undefined && this.#jumpedAt < from && !this.#wasPrice(market, last, from))
        fail("live or stale", `${listener.name}: ${market.symbol} is live at ${last}`);
      return;
    }
    if (topic === "book") {
      const { book } = audited;
      // After its clock was set back the exchange pushes no book until that time comes again: a lost push is not noticed.
      const isAhead = book !== undefined && Date.parse(`${book.time}`) > this.parts.exchange.clock.now();
      if (book !== undefined && !isAhead && !this.#books.hasBeen(market, LEVELS[listener.terms.depth ?? "L5"], book, from))
        fail("live or stale", `${listener.name}: the book of ${market.symbol} is live as of ${book.time}`);
      return;
    }
    const user = this.parts.userOf(about);
    if (user === undefined || user.since > from) return;
    const { uid } = user;
    if (isLossy) return;
    if (topic === "fills") {
      this.#compareFills(listener, user, from, audited.executions.get(about));
      return;
    }
    for (const [key, text] of seen.rows)
      if (!past.hasBeen(key, text, from))
        fail("live or stale", `${listener.name}: ${key} is live as "${text}", and was not so for ${LAG_MS} ms`);
    const prefix = topic === "positions" ? `position ${uid} ` : undefined;
    if (prefix !== undefined)
      for (const key of past.keys(prefix))
        if (!seen.rows.has(key) && !past.hasBeen(key, NOTHING, from))
          fail("live or stale", `${listener.name}: ${key} is missing`);
    if (topic === "orders")
      for (const { orderId } of this.parts.exchange.world.state.orders.open(uid))
        if (!seen.rows.has(orderKey(orderId)) && past.at(orderKey(orderId), from)?.startsWith("open") === true)
          fail("live or stale", `${listener.name}: order ${orderId} is open and missing`);
  }

  /** Everything that was executed by `until` has arrived, unless the listener was told that it may be missing. */
  #compareFills(listener: Listener, { uid, since: isSince }: User, until: number, executions: Executions | undefined): void {
    if (executions === undefined) return;
    const { got, since, gaps } = executions;
    const begin = since.get(uid);
    if (begin === undefined || begin < isSince) return;
    for (const { execId, at } of this.parts.past.fillsOf(uid)) {
      const happened = this.parts.past.seenAt(execId);
      if (happened <= begin || happened > until || got.has(execId)) continue;
      if (gaps.some(({ from, to }) => at >= from && at <= to)) continue;
      if (gaps.some((gap) => happened <= gap.statedAt && gap.from <= at && this.#isBeyond(gap, at))) continue;
      // The gap was stated just before the exchange's clock jumped ahead, which the gateway could not know yet.
      if (this.#jumps.some(({ from, to }) => from < at && at <= to && gaps.some((gap) => gap.to >= from && gap.from <= at)))
        continue;
      this.parts.fail("contiguous", `${listener.name} never got execution ${execId} of ${uid} at ${happened}`);
      return;
    }
  }

  /**
   * Whether a gateway could not know of this date when it stated a gap: it got the exchange's time only after that clock had been
   * set back to before it, and the gap ends at the exchange's time, or with the last execution that the listener had.
   */
  #isBeyond({ statedAt, knownSince }: Gap, date: number): boolean {
    const set = this.#jumps.findLast(({ at, from, to }) => at <= knownSince && from !== to);
    return set !== undefined && set.to < set.from && set.to + statedAt - set.at < date;
  }

  #wasPrice({ category, symbol }: Listener["terms"]["market"], price: string, from: number): boolean {
    const { markets } = this.parts.exchange.world.state;
    const { listing } = markets.of(category, symbol);
    const wanted = plain(exact(price));
    const { tick, periodMs } = markets;
    for (let moves = 0; moves <= Math.ceil((this.parts.time.now - from) / periodMs) + 1; moves++)
      if (plain(listing.price(tick - (moves * periodMs) / TICK_MS)) === wanted) return true;
    return false;
  }
}

const wireOf = (category: string | null | undefined): string => `${category}`.replace("_", "-");

const sizeText = (qty: string | null | undefined): string => {
  const size = plain(exact(qty ?? "0"));
  return size === "0" ? NOTHING : size;
};

const balanceText = ({ balance, available, frozen, locked }: Row): string =>
  balance === null || balance === undefined
    ? plain(
        exact(available ?? "0")
          .plus(exact(frozen ?? "0"))
          .plus(exact(locked ?? "0")),
      )
    : plain(exact(balance));

const subjectsOf = ({ terms: { topic, accounts } }: Listener): number =>
  topic === "ticker" || topic === "book" ? 1 : accounts.length;
