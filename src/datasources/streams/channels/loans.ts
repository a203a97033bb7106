import { inCapitals } from "@exchange-graph/contract/letterCase";
import { rowsRead } from "@exchange-graph/contract/rows";
import type { ExchangeAccount } from "../../calls/index.js";
import { Fault } from "../../errors/index.js";
import {
  type LoanEvent,
  type LoanPrices,
  type OngoingLoan,
  type PricedLoan,
  type RequestReads,
  readOngoingLoans,
} from "../../reads/index.js";
import type { FeedUpstream } from "../feeds/channelFeed.js";
import type { Feed, FeedSink } from "../feeds/feed.js";
import type { MarketStreams, StreamEvent, Unlisten } from "../listening.js";
import { WHOLE } from "../state/kinds.js";
import { type Reading, RecordLedger } from "../state/recordLedger.js";
import type { AccountChannel } from "./channel.js";

const NO_FIELDS: ReadonlySet<string> = new Set();
const RULES = { clearable: NO_FIELDS, restOnly: NO_FIELDS };

/**
 * The running loans of an account, and those that have ended recently. Loans are not pushed, and have no time of their last change.
 */
const loanLedger = (): RecordLedger<OngoingLoan> =>
  new RecordLedger<OngoingLoan>({
    keyOf: ({ orderId }) => orderId,
    hasEnded: () => false,
    compared: () => "UNDECIDED",
    rulesOf: () => RULES,
    // A list has every field: null is a value.
    merged: (_known, loan) => loan,
    leavesOut: () => "nothing",
    reportsUnknownEnds: true,
    partOf: () => WHOLE,
  });

/** Interval at which loans are read, because no stream of the exchange has them. */
const READ_EVERY_MS = 5_000;

/** Duration of a reading after which the loans may be out of date. */
const READ_FOR_MS = 2_500;

/** Maximum age of a cached answer that is used instead. */
const READ_WITHIN_MS = 1_000;

/** An account's running loans: polled, and between two polls updated by the prices of ticker streams. */
export class LoansFeed implements Feed<LoanEvent> {
  readonly #ledger = loanLedger();
  /** The ledger's loans with their prices; undefined before the first reading. */
  #loans: ReadonlyMap<string, PricedLoan> | undefined;
  readonly #prices = new Map<string, string | null>();
  readonly #tickers = new Map<string, Unlisten>();
  readonly #interrupted = new Set<string>();
  #isUnread = false;
  #isOver = false;
  /** Counts the users of the account: readings for a former one are ignored. */
  #user = 0;
  #time = 0;
  #cancel: (() => void) | undefined;
  #sink: FeedSink<LoanEvent> | undefined;

  constructor(
    private readonly upstream: Pick<FeedUpstream, "clock" | "exchangeNow">,
    private readonly market: Pick<MarketStreams, "ticker">,
    private readonly newReads: () => RequestReads,
    private readonly account: ExchangeAccount,
  ) {}

  get isLive(): boolean {
    return this.#loans !== undefined && !this.#isUnread && this.#interrupted.size === 0;
  }

  start(sink: FeedSink<LoanEvent>): void {
    this.#sink = sink;
    void this.#read();
  }

  stop(): void {
    this.#isOver = true;
    this.#cancel?.();
    for (const unlisten of this.#tickers.values()) unlisten();
    this.#tickers.clear();
  }

  reassigned(): void {
    this.#user++;
    this.#cancel?.();
    this.#isUnread = true;
    this.#emit("update", [], []);
    void this.#read();
  }

  current(): StreamEvent<LoanEvent> | undefined {
    if (this.#loans === undefined) return undefined;
    return { kind: "snapshot", time: this.#time, stale: !this.isLive, value: { loans: [...this.#loans.values()], over: [] } };
  }

  async #read(): Promise<void> {
    const user = this.#user;
    const isPast = () => this.#isOver || user !== this.#user;
    const cancel = this.upstream.clock.after(READ_FOR_MS, () => this.#becomeUnread());
    this.#cancel = cancel;
    try {
      const reads = this.newReads();
      const reading = this.#ledger.beginReading(reads);
      const loans = rowsRead(await readOngoingLoans(reads.within(READ_WITHIN_MS), this.account, {}));
      await Promise.all(coinsOf(loans).map((coin) => this.#askPrice(reads, coin)));
      if (!isPast()) this.#take(reading, loans);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      if (isPast()) return;
      // The first reading is the snapshot.
      if (this.#loans === undefined) {
        this.#sink?.failed(error);
        return;
      }
      this.#becomeUnread();
    } finally {
      cancel();
    }
    if (!isPast()) this.#cancel = this.upstream.clock.after(READ_EVERY_MS, () => void this.#read());
  }

  #becomeUnread(): void {
    if (this.#loans === undefined || this.#isUnread) return;
    this.#isUnread = true;
    this.#emit("update", [], []);
  }

  /** Reads the price of a coin whose ticker is not followed, and follows it. */
  async #askPrice(reads: RequestReads, coin: string): Promise<void> {
    if (this.#tickers.has(coin)) return;
    const price = await reads.loaders.usdtPrice(coin);
    if (this.#isOver || this.#tickers.has(coin)) return;
    this.#prices.set(coin, price);
    if (price === null || coin === "USDT") return;
    let unlisten: Unlisten | undefined;
    this.#tickers.set(coin, () => unlisten?.());
    unlisten = this.market.ticker(
      { category: "SPOT", symbol: `${coin}USDT` },
      {
        next: ({ value: { lastPrice }, stale }) => this.#priced(coin, lastPrice, stale),
        // The next reading reads the price, and follows the ticker again.
        failed: () => this.#tickers.delete(coin),
      },
    );
  }

  #priced(coin: string, price: string | null, isStale: boolean): void {
    if (this.#isOver) return;
    const wasLive = this.isLive;
    if (isStale) this.#interrupted.add(coin);
    else this.#interrupted.delete(coin);
    const isNew = !isStale && price !== null && this.#prices.get(coin) !== price;
    if (isNew) this.#prices.set(coin, price);
    const changed = isNew ? this.#repriced((loan) => coinsOf([loan]).includes(coin)) : [];
    if (changed.length > 0 || wasLive !== this.isLive) this.#emit("update", changed, []);
  }

  #repriced(isMeant: (loan: PricedLoan) => boolean): readonly PricedLoan[] {
    if (this.#loans === undefined) return [];
    const changed = [...this.#loans.values()].filter(isMeant).map((loan) => ({ ...loan, prices: this.#pricesOf(loan) }));
    this.#loans = new Map([...this.#loans, ...changed.map((loan) => [loan.orderId, loan] as const)]);
    return changed;
  }

  #take(reading: Reading<OngoingLoan>, read: readonly OngoingLoan[]): void {
    const former = this.#loans;
    const wasLive = this.isLive;
    reading.take(read);
    this.#ledger.end(reading.missingIn([WHOLE], read));
    const { open } = this.#ledger;
    const loans = new Map(open.map((loan) => [loan.orderId, { ...loan, prices: this.#pricesOf(loan) }]));
    this.#loans = loans;
    this.#isUnread = false;
    this.#unfollow(coinsOf(open));
    if (former === undefined) {
      this.#emit("snapshot", [...loans.values()], []);
      return;
    }
    const changed = [...loans.values()].filter((loan) => JSON.stringify(loan) !== JSON.stringify(former.get(loan.orderId)));
    const over = [...former.values()].filter(({ orderId }) => !loans.has(orderId));
    if (changed.length > 0 || over.length > 0 || wasLive !== this.isLive) this.#emit("update", changed, over);
  }

  #unfollow(coins: readonly string[]): void {
    for (const [coin, unlisten] of this.#tickers) {
      if (coins.includes(coin)) continue;
      this.#tickers.delete(coin);
      this.#interrupted.delete(coin);
      unlisten();
    }
  }

  #pricesOf({ loanCoin, pledgeCoin }: OngoingLoan): LoanPrices {
    const priceOf = (coin: string | null) => (coin === null ? null : (this.#prices.get(inCapitals(coin)) ?? null));
    return { loanCoin: priceOf(loanCoin), pledgeCoin: priceOf(pledgeCoin) };
  }

  #emit(kind: "snapshot" | "update", loans: readonly PricedLoan[], over: readonly PricedLoan[]): void {
    this.#time = this.upstream.exchangeNow();
    this.#sink?.emit({ kind, time: this.#time, stale: !this.isLive, value: { loans, over } });
  }
}

const coinsOf = (loans: readonly OngoingLoan[]): readonly string[] => [
  ...new Set(
    loans.flatMap(({ loanCoin, pledgeCoin }) =>
      [loanCoin, pledgeCoin].flatMap((coin) => (coin === null ? [] : inCapitals(coin))),
    ),
  ),
];

export const loans: AccountChannel<LoanEvent> = {
  open: ({ upstream, market, access }, account) => new LoansFeed(upstream, market, access.newReads, account),
};
