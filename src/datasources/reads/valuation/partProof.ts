import type { UnifiedAssets } from "@exchange-graph/contract/asset";
import { type Exact, exact } from "@exchange-graph/contract/decimal";
import type { Position } from "@exchange-graph/contract/position";
import { type AccountFacts, inputsOf, orderInputsOf, poolInputsOf, type ReadAssets, type Wallet } from "./accountFacts.js";
import { walletAt } from "./classicWallet.js";
import { type MarginRules, PriceReads, type Prices } from "./marginRules.js";
import { OtherMarginSearch } from "./otherMargin.js";
import { sharedRatePlaces } from "./positionFigures.js";
import { sentProfits, sentValues, solvedPrices } from "./sentPrices.js";
import { NO_OTHER_MARGIN, type OtherMargin, type UnifiedFigures, unifiedAt } from "./unifiedAccount.js";
import { withWholeMargins } from "./wholeMargins.js";

/** All prices as they were pushed up to a time, Unix ms. */
export interface PricesAt extends Prices {
  readonly time: number;
}

/** Computed figures of a part; undefined where a figure cannot be computed. */
interface PartFigures {
  readonly positions: readonly (Position | undefined)[];
  readonly unified: UnifiedAssets | undefined;
  readonly wallet: Wallet | undefined;
}

const NO_FIGURES = { assets: undefined, sums: undefined };

/**
 * Maximum number of consecutive readings that a formula may fail to reproduce before its proof is dropped. Some readings fall
 * between two pushes of prices.
 */
const MAX_MISSES = 5;

/** A formula that has reproduced the exchange's figures, and the number of later readings in which it has not. */
interface Proven {
  readonly misses: number;
}

const isSameList = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((row, at) => row === other[at]);

/** Whether all fields of the one, except these, are equal in the other. */
function agrees(one: object, other: object, except?: ReadonlySet<string>): boolean {
  return Object.entries(one).every(([name, value]) => except?.has(name) === true || Reflect.get(other, name) === value);
}

const OF_ORDERS_AND_DEBTS: ReadonlySet<string> = new Set(["assets", "initialMarginUsd", "maintenanceMarginUsd", "marginRatio"]);

/** Whether both are equal except for what open orders and debts take as margin. */
const agreesOtherwise = (found: UnifiedAssets, reported: ReadAssets): boolean =>
  found.assets.length === reported.assets.length &&
  agrees(found, reported, OF_ORDERS_AND_DEBTS) &&
  found.assets.every((asset, at) => {
    const other = reported.assets[at];
    return other !== undefined && agrees(asset, other);
  });

/**
 * A unit with its own margin: a unified account, or a futures account, with its positions. Each position is proven by itself, and
 * so are the unit's own figures. A proof holds for later readings that have the same amounts.
 */
export class PartProof {
  /** By the inputs of a position: whether its formulas have reproduced it. */
  readonly #positions = new Map<string, Proven>();
  #value: Proven | undefined;
  #other: OtherMargin | undefined;
  readonly #search: OtherMarginSearch;
  readonly #ratePlaces: readonly number[];
  /** What figures are computed from. */
  readonly #whole: AccountFacts;
  readonly #inputs: readonly string[];
  readonly #poolInputs: string;
  readonly #orderInputs: string;
  readonly #sent: ReturnType<typeof sentValues>;
  readonly #hasProfits: ReturnType<typeof sentProfits>;
  readonly #solved: ReturnType<typeof solvedPrices>;
  /** Mark prices that the positions were read with, by category and symbol. */
  readonly #reportedMarks: ReadonlyMap<string, Exact | undefined>;
  /** What this reading itself has confirmed. */
  readonly #confirmed = new Set<number>();
  #isValueConfirmed = false;
  #triedAt = Number.NEGATIVE_INFINITY;
  /** The solved prices that were tried last. */
  #lastSolved: PriceReads | undefined;

  constructor(
    readonly facts: AccountFacts,
    private readonly rules: MarginRules,
    before: PartProof | undefined,
  ) {
    this.#inputs = facts.positions.map(inputsOf);
    this.#poolInputs = poolInputsOf(facts);
    this.#orderInputs = orderInputsOf(facts);
    this.#sent = sentValues(facts);
    this.#hasProfits = sentProfits(facts);
    this.#solved = solvedPrices(facts);
    this.#reportedMarks = new Map(
      facts.positions.map(({ categoryRaw, symbol, markPrice }) => [
        `${categoryRaw} ${symbol}`,
        markPrice === null ? undefined : exact(markPrice),
      ]),
    );
    this.#whole = withWholeMargins(facts);
    this.#ratePlaces = sharedRatePlaces(this.#whole.positions, before === undefined ? undefined : before.#ratePlaces);
    this.#search = new OtherMarginSearch(
      facts,
      rules,
      before !== undefined && before.#orderInputs === this.#orderInputs ? before.#search : undefined,
    );
    if (before !== undefined) this.#inherit(before);
  }

  #inherit(before: PartProof): void {
    const isSamePool = before.#poolInputs === this.#poolInputs;
    for (const [at, position] of this.facts.positions.entries()) {
      const inputs = this.#inputs[at] ?? "";
      const was = before.facts.positions.indexOf(position);
      const proven = before.#positions.get(inputs);
      const misses = (proven?.misses ?? 0) + (was < 0 ? 1 : 0);
      if (proven !== undefined && misses <= MAX_MISSES) this.#positions.set(inputs, { misses });
      if (isSamePool && before.#confirmed.has(was)) this.#confirmed.add(at);
    }
    if (before.#value === undefined || !isSamePool || before.#orderInputs !== this.#orderInputs) return;
    const isSameReading = before.facts.unified === this.facts.unified && before.facts.wallets[0] === this.facts.wallets[0];
    const misses = before.#value.misses + (isSameReading ? 0 : 1);
    if (misses > MAX_MISSES) return;
    this.#value = { misses };
    this.#other = before.#other;
    this.#isValueConfirmed = isSameReading && before.#isValueConfirmed;
  }

  /** Whether it is the proof of exactly this state. */
  isOf({ positions, unified, wallets, orders }: AccountFacts, rules: MarginRules): boolean {
    const { facts } = this;
    return (
      rules === this.rules &&
      unified === facts.unified &&
      isSameList(positions, facts.positions) &&
      isSameList(wallets, facts.wallets) &&
      isSameList(orders, facts.orders)
    );
  }

  /** Whether the formulas hold for the account's, or the futures account's, own figures. */
  get holdsForValue(): boolean {
    return this.#value !== undefined;
  }

  /** Whether this state itself has confirmed them. */
  get isValueConfirmed(): boolean {
    return this.#isValueConfirmed;
  }

  /**
   * Whether the formulas hold for the position at this place. A position depends on the rest of its pool: an earlier proof holds
   * only while the pool's own figures are reproduced.
   */
  holdsFor(at: number): boolean {
    if (this.#confirmed.has(at)) return true;
    const position = this.facts.positions[at];
    const isAlone = this.facts.unified !== null && position?.marginMode === "isolated";
    return this.hasProven(at) && (isAlone || this.holdsForValue);
  }

  /** Whether the formulas have reproduced a position with these amounts, perhaps in another state of its pool. */
  hasProven(at: number): boolean {
    return this.#positions.has(this.#inputs[at] ?? "");
  }

  /** Whether the last reading has confirmed everything. */
  get isConfirmed(): boolean {
    return this.#isValueConfirmed && this.#confirmed.size === this.facts.positions.length;
  }

  tryAt(moments: readonly PricesAt[]): void {
    const last = moments.at(-1);
    if (last === undefined || this.isConfirmed) return;
    const other = this.#other;
    this.#try(this.#atReportedMarks(last));
    for (const moment of moments)
      if (moment.time >= this.#triedAt && (this.#isValued(moment) || this.#showsPosition(moment))) this.#try(moment);
    if (!this.#isValueConfirmed) for (const moment of moments) if (moment.time >= this.#triedAt) this.#trySolved(moment);
    this.#triedAt = last.time;
    // What debts take as margin is part of the liquidation prices.
    if (this.#other !== other) this.#tryPositions(moments);
  }

  /** At their own mark prices they depend on the prices of coins only, which are the same at most moments. */
  #tryPositions(moments: readonly PricesAt[]): void {
    let last: PriceReads | undefined;
    for (const moment of moments) {
      const prices = this.#atReportedMarks(moment);
      if (last?.isAt(prices) === true) continue;
      last = new PriceReads(prices);
      this.#try(last);
    }
  }

  /** Most prices follow from the figures. They are the same at each moment, and are tried once. */
  #trySolved(moment: PricesAt): void {
    const prices = this.#solved?.(this.#atReportedMarks(moment));
    if (prices === undefined || this.#lastSolved?.isAt(prices) === true) return;
    this.#lastSolved = new PriceReads(prices);
    this.#tryValue(this.#lastSolved);
  }

  figuresAt(prices: Prices): PartFigures {
    const { positions, unified, wallets } = this.#whole;
    const [wallet] = wallets;
    if (unified !== null) {
      const { assets, positions: moved } = this.#unifiedAt(prices, this.#other ?? NO_OTHER_MARGIN);
      return { positions: moved, unified: assets, wallet: undefined };
    }
    if (wallet === undefined) return { positions: positions.map(() => undefined), unified: undefined, wallet: undefined };
    return { ...walletAt(wallet, positions, this.rules, prices), unified: undefined };
  }

  #positionsAt(prices: Prices): readonly (Position | undefined)[] {
    if (this.facts.unified === null) return this.figuresAt(prices).positions;
    return this.#unifiedAt(prices, this.#other ?? NO_OTHER_MARGIN).positions;
  }

  #unifiedAt(prices: Prices, other: OtherMargin): UnifiedFigures {
    const { positions, unified } = this.#whole;
    if (unified === null)
      return { equityUsd: undefined, assets: undefined, sums: undefined, positions: positions.map(() => undefined) };
    return unifiedAt({ assets: unified, positions, other, ratePlaces: this.#ratePlaces }, this.rules, prices);
  }

  /** Compares the figures of the account itself. Returns all figures at these prices, if they were computed. */
  #tryValue(prices: Prices | undefined): Pick<PartFigures, "positions"> | undefined {
    if (prices === undefined || this.#isValueConfirmed) return undefined;
    if (this.facts.unified !== null) return this.#tryUnified(prices);
    const figures = this.figuresAt(prices);
    const [reported] = this.facts.wallets;
    if (figures.wallet !== undefined && reported !== undefined && agrees(figures.wallet, reported)) this.#confirmValue();
    return figures;
  }

  #try(prices: Prices): void {
    if (this.isConfirmed) return;
    const computed = this.#tryValue(prices);
    if (!this.#showsPosition(prices)) return;
    const positions = computed?.positions ?? this.#positionsAt(prices);
    for (const [at, reported] of this.facts.positions.entries()) {
      const found = positions[at];
      if (found === undefined || this.#confirmed.has(at) || !agrees(found, reported)) continue;
      this.#confirmed.add(at);
      this.#positions.set(this.#inputs[at] ?? "", { misses: 0 });
    }
  }

  #confirmValue(): void {
    this.#value = { misses: 0 };
    this.#isValueConfirmed = true;
  }

  #tryUnified(prices: Prices): UnifiedFigures | undefined {
    const { unified: reported } = this.facts;
    if (!this.#hasProfits(prices)) return undefined;
    const figures = this.#unifiedAt(prices, NO_OTHER_MARGIN);
    const isNear = reported !== null && figures.equityUsd === reported.equityUsd;
    const { assets, sums } = isNear ? figures : NO_FIGURES;
    const isReported = isNear && assets !== undefined && sums !== undefined && agreesOtherwise(assets, reported);
    const other = isReported ? this.#search.find(sums, reported, prices) : undefined;
    if (other !== undefined) {
      this.#other = other;
      this.#confirmValue();
    }
    return this.#other === undefined ? figures : undefined;
  }

  /** Whether the exchange may have used these prices for the account's own figures, which are not confirmed. */
  #isValued(prices: Prices): boolean {
    if (this.#isValueConfirmed) return false;
    return this.#sent.every(({ coin, gives }) => {
      const price = prices.coin(coin);
      return price !== undefined && gives(price);
    });
  }

  /** Whether the exchange may have used these prices for a position that is not confirmed. */
  #showsPosition(prices: Prices): boolean {
    return this.facts.positions.some(({ categoryRaw, symbol, markPrice }, at) => {
      const mark = this.#confirmed.has(at) || markPrice === null ? undefined : prices.mark(categoryRaw, symbol);
      return mark !== undefined && markPrice !== null && mark.eq(markPrice);
    });
  }

  /** Prices with the mark prices of the positions themselves. */
  #atReportedMarks(prices: Prices): Prices {
    return {
      mark: (category, symbol) => this.#reportedMarks.get(`${category} ${symbol}`),
      coin: (coin) => prices.coin(coin),
    };
  }
}
