import { type Clock, HOUR_MS } from "@exchange-graph/contract/clock";
import { FUTURES_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import type { AccountMode } from "../../calls/index.js";
import { type AccountFacts, type AccountFigures, AccountProof, type MarginRules, type Prices } from "../../reads/index.js";
import type { MarketStreams } from "../listening.js";
import type { AccountHoldings, HeldFuturesAccount } from "../state/holdings.js";
import { Timers } from "../upstream/timings.js";
import { AccountPrices } from "./accountPrices.js";
import {
  basisOf,
  type CurrentAccount,
  contractsOf,
  debtsOf,
  type FigureBasis,
  type FigureKind,
  factsOf,
  isSame,
  pricesOf,
  type Versions,
  withBorrowed,
} from "./currentAccount.js";
import type { LiveFigures } from "./liveEndpoints.js";
import type { UnprovenReason } from "./liveList.js";
import { PacedNotices } from "./pacedNotices.js";

/** Time after a reading during which the formulas are checked at new prices. */
const TRIED_FOR_MS = 1_000;
/** Number of immediate new readings if the formulas cannot be proven; then after pauses that double, up to the maximum. */
const TRIES = 3;
const LONGEST_PAUSE_MS = 60_000;
/** Time after which margin rules are read again, with the next change of the account. */
const RULES_MS = 300_000;
/**
 * Changes within this time are compared together, because simultaneous changes are pushed one by one. Queries do not wait for it.
 */
const GATHER_MS = 20;
/** Pause if figures cannot be computed, for example for a missing price or debts that only the exchange knows. */
const NOT_COMPUTABLE_MS = 5_000;

/**
 * An account between two messages of the exchange: its figures at current prices. They are available only while the formulas
 * reproduce the exchange's last figures digit by digit.
 */
export class LiveAccount {
  readonly #prices: AccountPrices;
  #seen: Versions | undefined;
  /** The holdings for which positions were read last although their figures cannot be computed. */
  #positionsOf: object | undefined;
  #proof: AccountProof | undefined;
  /** The last proof, until there is one of the current state. */
  #before: AccountProof | undefined;
  #rules: { readonly rules: MarginRules; readonly of: ReadonlySet<string>; readonly readAt: number } | undefined;
  #shown: { readonly prices: Prices; readonly proof: AccountProof; readonly figures: AccountFigures } | undefined;
  #version: object = {};
  /** The prices of this version. One of them may have become too old since. */
  #versionPrices: Prices | undefined;
  #tries = 0;
  /** Whether prices have changed since the figures were compared with computed ones. */
  #isUntried = false;
  readonly #timers: Timers;
  /** Time since when the current state is compared, Unix ms. */
  #ruledAt = 0;
  #isClosed = false;
  readonly #notices: PacedNotices;

  constructor(
    private readonly current: CurrentAccount,
    market: Pick<MarketStreams, "ticker" | "tickerKnownUntil">,
    private readonly clock: Clock,
    private readonly exchangeNow: () => number,
  ) {
    this.#timers = new Timers(clock);
    this.#notices = new PacedNotices(clock);
    this.#prices = new AccountPrices(market, exchangeNow, () => this.#moved());
  }

  /** Called after an event about the account. */
  changed(): void {
    if (this.#seen === undefined) this.#look();
    else this.#gather();
  }

  /** Calls `listener` whenever prices have changed. */
  onMoved(listener: () => void): () => void {
    return this.#notices.listen(listener);
  }

  close(): void {
    this.#isClosed = true;
    this.#notices.close();
    this.#timers.stopAll();
    this.#prices.close();
  }

  /** A new object with each change of these figures; undefined while they are not proven. `part`: a category, or all of them. */
  version(mode: AccountMode | "BOTH", kind: FigureKind, part?: string): object | undefined {
    const isOfMode = mode === "BOTH" || this.current.mode() === mode;
    if (!isOfMode || !this.#look() || !this.#isRead(kind, part)) return undefined;
    const { present } = this.#prices;
    if (present !== this.#versionPrices) {
      this.#versionPrices = present;
      this.#version = {};
    }
    return this.#version;
  }

  /** Whether everything is proven that figures of this kind depend on. */
  #isRead(kind: FigureKind, category?: string): boolean {
    return this.basisOf(kind, category).every((list) => this.current.isProven(list.kind, list.part));
  }

  basisOf(kind: FigureKind, part?: string): readonly FigureBasis[] {
    return basisOf(this.current, kind, part);
  }

  /** Why figures of this kind are not proven; undefined if they are. `part`: a category, or all of them. */
  unprovenFor(kind: FigureKind, part?: string): UnprovenReason | undefined {
    if (!this.#look()) return "INTERRUPTED";
    if (!this.#isRead(kind, part)) return "BEING_READ";
    const figures = this.figures();
    const [proof, prices] = [this.#proof, this.#prices.present];
    if (figures === undefined || proof === undefined || prices === undefined) return "BEING_READ";
    const categories = part === undefined ? [...FUTURES_CATEGORIES] : [part];
    const isShown =
      kind === "positions"
        ? categories.every((category) => figures.positions(category) !== undefined)
        : proof.facts.unified !== null
          ? figures.unified !== undefined
          : categories.every((category) => figures.wallets(category) !== undefined);
    if (isShown) return undefined;
    return proof.computable(prices) === undefined ? "NOT_COMPUTABLE" : "NOT_REPRODUCED";
  }

  /** Whether all streams are open that report changes of the account. */
  get isWitnessed(): boolean {
    return !this.#isClosed && this.current.version() !== undefined;
  }

  /** Age of the prices, ms. */
  get ageMs(): number {
    return this.#prices.ageMs;
  }

  /** The prices of the figures; undefined without any. */
  get prices(): Prices | undefined {
    return this.#prices.present;
  }

  /** The account's figures, as far as they are proven; undefined without any. */
  figures(): LiveFigures | undefined {
    const [proof, prices] = [this.#look() ? this.#proof : undefined, this.#prices.present];
    if (proof === undefined || prices === undefined) return undefined;
    if (this.#shown?.prices !== prices || this.#shown.proof !== proof)
      this.#shown = { prices, proof, figures: proof.figuresAt(prices) };
    const { positions, unified, wallets } = this.#shown.figures;
    return {
      provenPositions: positions.flatMap((position, at) =>
        position !== undefined && proof.holdsFor(at) && this.#isRead("positions", position.categoryRaw) ? [position] : [],
      ),
      positions: (category) =>
        proof.holdsForCategory(category)
          ? all(positions.filter((_, at) => proof.facts.positions[at]?.categoryRaw === category))
          : undefined,
      unified: proof.holdsForUnified ? unified : undefined,
      wallets: (category) =>
        proof.holdsForWallets(category)
          ? all(wallets.filter((_, at) => proof.facts.wallets[at]?.categoryRaw === category))
          : undefined,
    };
  }

  /** Whether the current state is proven. A new state has to be proven again. */
  #look(): boolean {
    const versions = this.current.version();
    if (versions === undefined || this.#isClosed) return false;
    if (!isSame(versions, this.#seen)) this.#begin(versions);
    this.#tryMoved();
    return true;
  }

  /** Schedules the proof of a new state. It is made at once if its figures are read. */
  #gather(): void {
    if (!this.#timers.has("gathering")) this.#timers.after("gathering", GATHER_MS, () => this.#look());
  }

  #begin(versions: Versions): void {
    const before = this.#proof ?? this.#before;
    this.#before = before;
    this.#seen = versions;
    this.#proof = undefined;
    this.#version = {};
    this.#timers.stop("retry");
    const facts = factsOf(this.current);
    if (facts === undefined) return;
    this.#prices.want(pricesOf(facts));
    this.#awaitInterest(facts);
    const rules = this.#rulesFor(facts);
    if (rules !== undefined) this.#ruled(versions, new AccountProof(facts, rules, before));
    else
      this.current.rules(facts).then(
        (read) => {
          this.#rules = { rules: read, of: contractsOf(facts), readAt: this.clock.now() };
          this.#ruled(versions, new AccountProof(facts, read, before));
        },
        (error: unknown) => this.#rulesFailed(versions, error),
      );
  }

  #rulesFailed(versions: Versions, error: unknown): void {
    this.current.failed(error);
    if (this.#isClosed || this.#seen !== versions) return;
    this.#timers.after("retry", NOT_COMPUTABLE_MS, () => {
      this.#seen = undefined;
      this.#look();
    });
  }

  /** Debts grow by their interest every hour, which is not pushed. */
  #awaitInterest({ unified }: AccountFacts): void {
    this.#timers.stop("interest");
    if (debtsOf(unified).length === 0) return;
    this.#timers.after("interest", HOUR_MS - (this.exchangeNow() % HOUR_MS), () => {
      this.current.readAgain({ positions: new Set(), isUnified: true, wallets: new Set() });
    });
  }

  /** The rules that were read last, if they are recent and include all contracts. */
  #rulesFor(facts: AccountFacts): MarginRules | undefined {
    const last = this.#rules;
    if (last === undefined || this.clock.now() - last.readAt > RULES_MS) return undefined;
    return [...contractsOf(facts)].every((contract) => last.of.has(contract)) ? last.rules : undefined;
  }

  #ruled(versions: Versions, proof: AccountProof): void {
    if (this.#isClosed || this.#seen !== versions) return;
    this.#proof = proof;
    this.#before = undefined;
    this.#version = {};
    this.#ruledAt = this.clock.now();
    this.#isUntried = false;
    this.#try(proof);
    if (proof.isWhole) this.#tries = 0;
    else this.#bookReading(proof, this.#pauseMs);
  }

  #moved(): void {
    this.#version = {};
    this.#isUntried = true;
    this.#gather();
    this.#notices.book();
  }

  #tryMoved(): void {
    if (!this.#isUntried) return;
    this.#isUntried = false;
    if (this.#proof !== undefined && this.#needsTrial(this.#proof)) this.#try(this.#proof);
    if (this.#proof?.isWhole === true) this.#tries = 0;
  }

  #try(proof: AccountProof): void {
    const before = proof.confirmedCategories.length;
    proof.tryAt(this.#prices.moments());
    if (proof.confirmedCategories.length > before) this.current.confirmed(proof.confirmedCategories);
  }

  /**
   * Whether the proof is compared with the last reading at new prices: until it is whole, and for a short time until that reading
   * confirms it.
   */
  #needsTrial(proof: AccountProof): boolean {
    return !proof.isWhole || (!proof.isConfirmed && this.clock.now() - this.#ruledAt < TRIED_FOR_MS);
  }

  /** The account's holdings with the proven figures; undefined without any. */
  holdings(): AccountHoldings | undefined {
    const [held, figures, proof] = [this.current.holdings(), this.figures(), this.#proof];
    if (held === undefined || figures === undefined || proof === undefined) return undefined;
    if (held.unified !== null && !this.#isRead("accountUpdates")) return undefined;
    if (held.unified !== null) return figures.unified && { ...held, unified: withBorrowed(figures.unified, held.unified) };
    const moved = new Map(proof.facts.wallets.map((wallet, at) => [wallet, this.#shown?.figures.wallets[at]]));
    const isProven = ({ categoryRaw }: HeldFuturesAccount) =>
      figures.wallets(categoryRaw) !== undefined && this.#isRead("accountUpdates", categoryRaw);
    const futures = held.futures.map((wallet) => (isProven(wallet) ? { ...wallet, ...moved.get(wallet) } : wallet));
    return { ...held, futures };
  }

  #bookReading(proof: AccountProof, ms: number): void {
    this.#timers.after("retry", ms, () => this.#readAgain(proof));
  }

  /** Time for which a reading is checked at new prices before it is repeated; meanwhile each query calls the exchange. */
  get #pauseMs(): number {
    return this.#tries < TRIES ? TRIED_FOR_MS : Math.min(LONGEST_PAUSE_MS, TRIED_FOR_MS * 2 ** (this.#tries - 1));
  }

  /** Liquidation prices that cannot be computed change with the rest of the account, which is not pushed. */
  #readPositions({ unproven: { positions } }: AccountProof): void {
    if (positions.size === 0 || this.#seen === undefined || this.#positionsOf === this.#seen.holdings) return;
    this.#positionsOf = this.#seen.holdings;
    this.current.readAgain({ positions, isUnified: false, wallets: new Set() });
  }

  /** The parts were read at different prices, or at one that was never pushed: another reading may succeed. */
  #readAgain(proof: AccountProof): void {
    const prices = this.#prices.present;
    if (this.#proof !== proof || proof.isWhole) return;
    const unproven = prices && proof.computable(prices, this.#tries > 1);
    if (unproven === undefined) {
      this.#readPositions(proof);
      this.#bookReading(proof, NOT_COMPUTABLE_MS);
      return;
    }
    this.#tries++;
    this.current.readAgain(unproven);
  }
}

const all = <T>(rows: readonly (T | undefined)[]): readonly T[] | undefined => {
  const found = rows.filter((row) => row !== undefined);
  return found.length === rows.length ? found : undefined;
};
