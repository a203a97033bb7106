import type { UnifiedAsset, UnifiedAssets } from "@exchange-graph/contract/asset";
import { type Exact, exact, isZero } from "@exchange-graph/contract/decimal";
import type { FuturesAccount } from "@exchange-graph/contract/futuresAccount";
import type { Position } from "@exchange-graph/contract/position";
import { rowsRead } from "@exchange-graph/contract/rows";
import { walletAt } from "./classicWallet.js";
import type { MarginRules, Prices } from "./marginRules.js";
import { written } from "./positionFigures.js";
import { unifiedAt } from "./unifiedAccount.js";

/** State of an account in either mode, as the exchange last sent it. */
export interface AccountFacts {
  readonly positions: readonly Position[];
  /** The unified account; null on a Classic account. */
  readonly unified: (UnifiedAssets & { readonly assets: readonly UnifiedAsset[] }) | null;
  /** Futures accounts of a Classic account. */
  readonly wallets: readonly Wallet[];
  /** Whether the margin of open orders depends on the price of a coin. */
  readonly hasPricedOrders: boolean;
}

type Wallet = FuturesAccount & Pick<Position, "category" | "categoryRaw">;

/** Computed figures; undefined where a figure cannot be computed. */
export interface AccountFigures {
  readonly positions: readonly (Position | undefined)[];
  readonly unified: UnifiedAssets | undefined;
  readonly wallets: readonly (Wallet | undefined)[];
}

const ZERO = exact("0");

/** The value of a coin that the exchange sent, from which its price follows. */
interface SaidValue {
  readonly coin: string;
  gives(price: Exact): boolean;
}

const value = (coin: string, amount: string | null, worth: string | null): readonly SaidValue[] =>
  amount === null || worth === null || isZero(amount)
    ? []
    : [{ coin, gives: (price) => written(exact(amount).times(price)) === worth }];

const inBtc = (usdt: string | null, btc: string | null): readonly SaidValue[] =>
  usdt === null || btc === null || isZero(btc)
    ? []
    : [{ coin: "BTC", gives: (price) => written(exact(usdt).div(price)) === btc }];

/** Values from which the exchange's prices follow. */
function valuesIn({ unified, wallets }: AccountFacts): readonly SaidValue[] {
  if (unified === null)
    return wallets.flatMap(({ marginCoin, equity, equityUsdt, equityBtc }) => [
      ...value(marginCoin, equity, equityUsdt),
      ...inBtc(equityUsdt, equityBtc),
    ]);
  return [
    ...rowsRead(unified.assets).flatMap(({ coin, equity, valueUsd }) => value(coin, equity, valueUsd)),
    ...inBtc(unified.equityUsdt, unified.equityBtc),
  ];
}

/** Computes a part of an account at these prices. `orderMargin`: initial margin of a unified account's open orders, in USD. */
function figuresAt(part: AccountFacts, rules: MarginRules, prices: Prices, orderMargin: Exact): AccountFigures {
  const { positions, unified, wallets } = part;
  const unknown = positions.map(() => undefined);
  if (unified !== null) {
    const found = unifiedAt({ assets: unified, positions, orderMargin }, rules, prices);
    return { positions: found?.positions ?? unknown, unified: found?.assets, wallets: [] };
  }
  const [found] = wallets.map((wallet) => walletAt(wallet, positions, rules, prices));
  return { positions: found?.positions ?? unknown, unified: undefined, wallets: [found?.wallet] };
}

const isOfSame = (one: Position, other: Position): boolean =>
  one.categoryRaw === other.categoryRaw &&
  one.symbol === other.symbol &&
  one.marginCoin === other.marginCoin &&
  one.posSide === other.posSide;

/** Whether all fields of the one are equal in the other. */
const agrees = (one: object, other: object): boolean => {
  const fields = new Map<string, unknown>(Object.entries(other));
  return Object.entries(one).every(([name, value]) => fields.get(name) === value);
};

/** Whether both are equal except for the margin of open orders. */
function agreesButOrders(found: UnifiedAssets, said: UnifiedAssets): boolean {
  const rows = found.assets.length === said.assets.length;
  const { initialMarginUsd } = said;
  return (
    rows &&
    agrees({ ...found, assets: said.assets, initialMarginUsd }, said) &&
    found.assets.every((asset, at) => {
      const other = said.assets[at];
      return other !== undefined && agrees(asset, other);
    })
  );
}

/** All prices as they were pushed up to a time, Unix ms. */
export interface Moment extends Prices {
  readonly time: number;
}

/** A unit with its own margin: a unified account, or a futures account, with its positions. */
class PartProof {
  readonly #positions: boolean[];
  #isValueProven = false;
  #orderMargin = ZERO;
  /** Margin of open orders in the samples, by the margin of positions at that time. */
  readonly #residuals = new Map<string, string>();
  readonly #values: readonly SaidValue[];
  #triedAt = Number.NEGATIVE_INFINITY;

  constructor(
    readonly facts: AccountFacts,
    private readonly rules: MarginRules,
    before: PartProof | undefined,
  ) {
    this.#positions = facts.positions.map(() => false);
    this.#values = valuesIn(facts);
    if (before !== undefined) for (const [base, residual] of before.#residuals) this.#residuals.set(base, residual);
  }

  get holdsForPositions(): boolean {
    return this.#positions.every(Boolean);
  }

  /** Whether the formulas hold for the account's, or the futures account's, own figures. */
  get holdsForValue(): boolean {
    return this.#isValueProven;
  }

  tryAt(moments: readonly Moment[]): void {
    const last = moments.at(-1);
    if (last === undefined || (this.holdsForPositions && this.holdsForValue)) return;
    this.#try(this.#atSaidMarks(last));
    for (const moment of moments) if (moment.time >= this.#triedAt && this.#maySuit(moment)) this.#try(moment);
    this.#triedAt = last.time;
  }

  figuresAt(prices: Prices): AccountFigures {
    return figuresAt(this.facts, this.rules, prices, this.#orderMargin);
  }

  #try(prices: Prices): void {
    if (this.holdsForPositions && this.holdsForValue) return;
    const { positions, unified, wallets } = figuresAt(this.facts, this.rules, prices, ZERO);
    for (const [at, said] of this.facts.positions.entries()) {
      const found = positions[at];
      if (found !== undefined && agrees(found, said)) this.#positions[at] = true;
    }
    if (unified !== undefined) this.#tryUnified(unified);
    const [[wallet], [said]] = [wallets, this.facts.wallets];
    if (wallet !== undefined && said !== undefined && agrees(wallet, said)) this.#isValueProven = true;
  }

  /** Whether the exchange may have used these prices, for a position or for the whole. */
  #maySuit(prices: Prices): boolean {
    const isValued = this.#values.every(({ coin, gives }) => {
      const price = prices.coin(coin);
      return price !== undefined && gives(price);
    });
    if (isValued && !this.holdsForValue) return true;
    return this.facts.positions.some(({ categoryRaw, symbol, markPrice }, at) => {
      const mark = this.#positions[at] === true || markPrice === null ? undefined : prices.mark(categoryRaw, symbol);
      return mark !== undefined && markPrice !== null && mark.eq(markPrice);
    });
  }

  /** Prices with the mark prices of the positions themselves. */
  #atSaidMarks(prices: Prices): Prices {
    const marks = new Map(this.facts.positions.map((one) => [`${one.categoryRaw} ${one.symbol}`, one.markPrice]));
    return {
      mark: (category, symbol) => {
        const mark = marks.get(`${category} ${symbol}`) ?? null;
        return mark === null ? undefined : exact(mark);
      },
      coin: (coin) => prices.coin(coin),
    };
  }

  /** The margin of open orders in USDT does not depend on prices; it is accepted once samples at different prices agree. */
  #tryUnified(found: UnifiedAssets): void {
    const { unified: said } = this.facts;
    if (said === null || !agreesButOrders(found, said)) return;
    const { initialMarginUsd: base } = found;
    if (base === null || said.initialMarginUsd === null) return;
    const residual = exact(said.initialMarginUsd).minus(base);
    const others = [...this.#residuals].filter(([other]) => other !== base);
    const isConfirmed = base === "0" || others.some(([, other]) => residual.eq(other));
    this.#residuals.set(base, residual.toFixed());
    if (!residual.eq(ZERO) && (!isConfirmed || this.facts.hasPricedOrders)) return;
    this.#isValueProven = true;
    this.#orderMargin = residual;
  }
}

/** A unified account is one part; a Classic account has one per futures account. */
const partsOf = (facts: AccountFacts): readonly AccountFacts[] =>
  facts.unified !== null
    ? [facts]
    : facts.wallets.map((wallet) => {
        const isOfIt = (position: Position) =>
          position.categoryRaw === wallet.categoryRaw && position.marginCoin === wallet.marginCoin;
        return { ...facts, wallets: [wallet], positions: facts.positions.filter(isOfIt) };
      });

/**
 * Whether the exchange's formulas hold for an account: they do if they reproduce its figures digit by digit at the prices of that
 * time. That time is not known exactly: it may be a moment before or after its prices were pushed.
 */
export class AccountProof {
  readonly #parts: readonly PartProof[];

  /** `before`: the proof of the previous figures, if no order has changed since. */
  constructor(
    readonly facts: AccountFacts,
    rules: MarginRules,
    before?: AccountProof,
  ) {
    this.#parts = partsOf(facts).map((part, at) => new PartProof(part, rules, before?.partAt(at)));
  }

  partAt(at: number): PartProof | undefined {
    return this.#parts[at];
  }

  /** Whether the formulas hold for all parts of the account. */
  get isWhole(): boolean {
    return this.holdsForPositions && this.#parts.every(({ holdsForValue }) => holdsForValue);
  }

  get holdsForPositions(): boolean {
    const count = this.#parts.reduce((sum, { facts }) => sum + facts.positions.length, 0);
    return count === this.facts.positions.length && this.#parts.every((part) => part.holdsForPositions);
  }

  get holdsForUnified(): boolean {
    return this.facts.unified !== null && this.#parts.every(({ holdsForValue }) => holdsForValue);
  }

  holdsForWallets(category: string): boolean {
    return this.facts.wallets.every(({ categoryRaw }, at) => categoryRaw !== category || this.#parts[at]?.holdsForValue === true);
  }

  /** Compares the exchange's figures with computed ones at these times, the latest one last. */
  tryAt(moments: readonly Moment[]): void {
    for (const part of this.#parts) part.tryAt(moments);
  }

  /**
   * Whether everything needed for the figures is known. One sample may not show how a position's rate is rounded; the next may.
   */
  isComputable(prices: Prices): boolean {
    const { unified, wallets } = this.figuresAt(prices);
    return wallets.every((one) => one !== undefined) && (this.facts.unified === null || unified !== undefined);
  }

  /** The account at these prices, as far as the formulas hold. */
  figuresAt(prices: Prices): AccountFigures {
    const all = this.#parts.map((part) => part.figuresAt(prices));
    const moved = all.flatMap(({ positions }) => positions);
    return {
      positions: this.facts.positions.map((position) => moved.find((one) => one !== undefined && isOfSame(one, position))),
      unified: all.find(({ unified }) => unified !== undefined)?.unified,
      wallets: all.flatMap(({ wallets }) => wallets),
    };
  }
}
