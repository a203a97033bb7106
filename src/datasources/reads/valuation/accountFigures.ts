import type { UnifiedAssets } from "@exchange-graph/contract/asset";
import type { Position } from "@exchange-graph/contract/position";
import { FUTURES_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import { type AccountFacts, partKey, partsOf, type Wallet } from "./accountFacts.js";
import type { MarginRules, Prices } from "./marginRules.js";
import { PartProof, type PricesAt } from "./partProof.js";

/** Computed figures; undefined where a figure cannot be computed. */
export interface AccountFigures {
  readonly positions: readonly (Position | undefined)[];
  readonly unified: UnifiedAssets | undefined;
  readonly wallets: readonly (Wallet | undefined)[];
}

/** What is not proven, and has to be read again. */
export interface Unproven {
  /** Categories with such a position. */
  readonly positions: ReadonlySet<string>;
  readonly isUnified: boolean;
  /** Categories of such futures accounts. */
  readonly wallets: ReadonlySet<string>;
}

const isOfSame = (one: Position, other: Position): boolean =>
  one.categoryRaw === other.categoryRaw &&
  one.symbol === other.symbol &&
  one.marginCoin === other.marginCoin &&
  one.posSide === other.posSide;

/**
 * Whether the exchange's formulas hold for each position of an account, for the unified account and for each futures account. They
 * hold if they reproduce the exchange's figures digit by digit at the prices of that time. That time is not known exactly: it may
 * be shortly before or after the prices were pushed.
 */
export class AccountProof {
  readonly #parts: readonly PartProof[];
  /** The part of each position, and its place in it. */
  readonly #places: readonly (readonly [PartProof, number] | undefined)[];

  /** `before`: the proof of the previous state. */
  constructor(
    readonly facts: AccountFacts,
    rules: MarginRules,
    before?: AccountProof,
  ) {
    const former = before === undefined ? [] : before.#parts;
    this.#parts = partsOf(facts).map((part) => {
      const last = former.find((one) => partKey(one.facts) === partKey(part));
      return last?.isOf(part, rules) === true ? last : new PartProof(part, rules, last);
    });
    this.#places = facts.positions.map((position) => {
      for (const part of this.#parts) {
        const at = part.facts.positions.findIndex((one) => isOfSame(one, position));
        if (at >= 0) return [part, at];
      }
      return undefined;
    });
  }

  /** Whether the formulas hold for everything. */
  get isWhole(): boolean {
    return this.facts.positions.every((_, at) => this.holdsFor(at)) && this.#parts.every((part) => part.holdsForValue);
  }

  /** Whether the last reading itself has confirmed them. */
  get isConfirmed(): boolean {
    return this.#parts.every((part) => part.isConfirmed);
  }

  /**
   * Categories in which the last reading of the account's figures has been reproduced: it has no other positions than these.
   */
  get confirmedCategories(): readonly string[] {
    if (this.facts.unified !== null) return this.#parts.every((part) => part.isValueConfirmed) ? FUTURES_CATEGORIES : [];
    return FUTURES_CATEGORIES.filter((category) => {
      const own = this.#parts.filter(({ facts }) => facts.wallets.some(({ categoryRaw }) => categoryRaw === category));
      return own.length > 0 && own.every((part) => part.isValueConfirmed);
    });
  }

  /** Whether they hold for the position at this place. */
  holdsFor(at: number): boolean {
    const place = this.#places[at];
    return place?.[0].holdsFor(place[1]) === true;
  }

  holdsForCategory(category: string): boolean {
    return this.facts.positions.every((position, at) => position.categoryRaw !== category || this.holdsFor(at));
  }

  get holdsForUnified(): boolean {
    return this.facts.unified !== null && this.#parts.every(({ holdsForValue }) => holdsForValue);
  }

  holdsForWallets(category: string): boolean {
    return this.#parts.every(
      ({ facts, holdsForValue }) => holdsForValue || facts.wallets.every(({ categoryRaw }) => categoryRaw !== category),
    );
  }

  get unproven(): Unproven {
    const positions = this.facts.positions.filter((_, at) => !this.holdsFor(at)).map(({ categoryRaw }) => categoryRaw);
    const wallets = this.facts.wallets.map(({ categoryRaw }) => categoryRaw).filter((one) => !this.holdsForWallets(one));
    const isUnified = this.facts.unified !== null && !this.holdsForUnified;
    return { positions: new Set(positions), isUnified, wallets: new Set(wallets) };
  }

  /**
   * What is not proven although all of its inputs are known; undefined if there is nothing. Another reading may prove it: one
   * sample may not show how a position's rate is rounded. `hasTried`: the account has already been read again.
   */
  computable(prices: Prices, hasTried = false): Unproven | undefined {
    const { positions, unified, wallets } = this.figuresAt(prices);
    const { isUnified, wallets: unprovenWallets } = this.unproven;
    const open = this.facts.positions.filter((_, at) => positions[at] !== undefined && !this.#isProvenBefore(at));
    const funds = this.facts.wallets.filter(
      ({ categoryRaw }, at) => unprovenWallets.has(categoryRaw) && wallets[at] !== undefined,
    );
    if (open.length === 0 && funds.length === 0 && (!isUnified || unified === undefined)) return undefined;
    // A position of a pool is compared with the state of the pool at the same time.
    const pooled = this.facts.unified === null ? open.map(({ categoryRaw }) => categoryRaw) : [];
    // Mark prices of that time are known from a reading at the same time, or for a position that is the only one of its coin.
    const beside = this.facts.positions.filter((one) =>
      this.facts.positions.some((other) => other !== one && other.marginCoin === one.marginCoin),
    );
    const together = beside.map(({ categoryRaw }) => categoryRaw).filter((one) => isUnified || unprovenWallets.has(one));
    // The account may have positions whose pushes were lost.
    const others = hasTried ? FUTURES_CATEGORIES.filter((category) => isUnified || unprovenWallets.has(category)) : [];
    return {
      positions: new Set([...open.map(({ categoryRaw }) => categoryRaw), ...together, ...others]),
      isUnified: this.facts.unified !== null,
      wallets: new Set([...funds.map(({ categoryRaw }) => categoryRaw), ...pooled]),
    };
  }

  /** Whether the formulas hold for a position once they hold for its pool. */
  #isProvenBefore(at: number): boolean {
    const place = this.#places[at];
    return place !== undefined && (place[0].holdsFor(place[1]) || place[0].hasProven(place[1]));
  }

  /** Compares the exchange's figures with computed ones at these times, the latest one last. */
  tryAt(moments: readonly PricesAt[]): void {
    for (const part of this.#parts) part.tryAt(moments);
  }

  /** The account at these prices, as far as the formulas hold. */
  figuresAt(prices: Prices): AccountFigures {
    const all = new Map(this.#parts.map((part) => [part, part.figuresAt(prices)]));
    return {
      positions: this.#places.map((place) => place && all.get(place[0])?.positions[place[1]]),
      unified: this.facts.unified === null ? undefined : [...all.values()][0]?.unified,
      wallets: [...all.values()].map(({ wallet }) => wallet),
    };
  }
}
