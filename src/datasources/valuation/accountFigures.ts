import type { UnifiedAsset, UnifiedAssets } from "@exchange-graph/contract/asset";
import { type Exact, exact } from "@exchange-graph/contract/decimal";
import type { FuturesAccount } from "@exchange-graph/contract/futuresAccount";
import type { Position } from "@exchange-graph/contract/position";
import { walletAt } from "./classicWallet.js";
import type { MarginRules, Prices } from "./marginRules.js";
import { unifiedAt } from "./unifiedAccount.js";

/** What an account of either mode holds, as the exchange said it last. */
export interface AccountFacts {
  readonly positions: readonly Position[];
  /** The unified account; null on a Classic account. */
  readonly unified: (UnifiedAssets & { readonly assets: readonly UnifiedAsset[] }) | null;
  /** Classic futures wallets. */
  readonly wallets: readonly Wallet[];
}

type Wallet = FuturesAccount & { readonly categoryRaw: string };

/** What it stands at; nothing in the place of what cannot be computed. */
export interface AccountFigures {
  readonly positions: readonly (Position | undefined)[];
  readonly unified: UnifiedAssets | undefined;
  readonly wallets: readonly (FuturesAccount | undefined)[];
}

const ZERO = exact("0");

/** An account at these prices. `orderMargin`: initial margin of a unified account's open orders, in USD. */
function figuresAt(facts: AccountFacts, rules: MarginRules, prices: Prices, orderMargin: Exact): AccountFigures {
  const { positions, unified, wallets } = facts;
  if (unified !== null) {
    const found = unifiedAt({ assets: unified, positions, orderMargin }, rules, prices);
    return { positions: found?.positions ?? positions.map(() => undefined), unified: found?.assets, wallets: [] };
  }
  const found = wallets.map((wallet) => walletAt(wallet.categoryRaw, wallet, positions, rules, prices));
  const moved = found.flatMap((one) => one?.positions ?? []);
  return {
    positions: positions.map((position) => moved.find((one) => one !== undefined && isOfSame(one, position))),
    unified: undefined,
    wallets: found.map((one) => one?.wallet),
  };
}

const isOfSame = (one: Position, other: Position): boolean =>
  one.categoryRaw === other.categoryRaw &&
  one.symbol === other.symbol &&
  one.marginCoin === other.marginCoin &&
  one.posSide === other.posSide;

/** Are all fields of the one equal in the other? */
const agrees = (one: object, other: object): boolean => {
  const fields = new Map<string, unknown>(Object.entries(other));
  return Object.entries(one).every(([name, value]) => fields.get(name) === value);
};

/** Is it the same but for the margin of open orders? */
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

/**
 * Whether the exchange's formulas hold for an account: they do for what they have given back, digit by digit, at the prices
 * of the moment in which the exchange said it. Which moment that was is not known, so each price set near it is tried.
 */
export class AccountProof {
  readonly #positions: boolean[];
  readonly #wallets: boolean[];
  #isUnified = false;
  #orderMargin: Exact | undefined;
  /** What open orders were found to take, by what the positions took at that time. */
  readonly #residuals = new Map<string, string>();

  /** `before`: the proof of what was said last, where no order has changed since. */
  constructor(
    readonly facts: AccountFacts,
    private readonly rules: MarginRules,
    before?: AccountProof,
  ) {
    this.#positions = facts.positions.map(() => false);
    this.#wallets = facts.wallets.map(() => false);
    if (before !== undefined) for (const [base, residual] of before.#residuals) this.#residuals.set(base, residual);
  }

  /** Does everything hold that the account has? */
  get isWhole(): boolean {
    return this.holdsForPositions && (this.facts.unified === null || this.#isUnified) && this.#wallets.every(Boolean);
  }

  get holdsForPositions(): boolean {
    return this.#positions.every(Boolean);
  }

  get holdsForUnified(): boolean {
    return this.#isUnified;
  }

  holdsForWallets(category: string): boolean {
    return this.facts.wallets.every(({ categoryRaw }, at) => categoryRaw !== category || this.#wallets[at] === true);
  }

  /** Compares what was said with what it would be at these prices. Gives whether it can be computed at all. */
  tryAt(prices: Prices): boolean {
    const { positions, unified, wallets } = figuresAt(this.facts, this.rules, prices, ZERO);
    for (const [at, said] of this.facts.positions.entries()) {
      const found = positions[at];
      if (found !== undefined && agrees(found, said)) this.#positions[at] = true;
    }
    for (const [at, said] of this.facts.wallets.entries()) {
      const found = wallets[at];
      if (found !== undefined && agrees(found, said)) this.#wallets[at] = true;
    }
    if (unified !== undefined) this.#tryUnified(unified);
    return [...positions, ...wallets].every((one) => one !== undefined) && (this.facts.unified === null || unified !== undefined);
  }

  /** What open orders take does not move with prices; it is believed once two readings at different prices give the same. */
  #tryUnified(found: UnifiedAssets): void {
    const { unified: said } = this.facts;
    if (said === null || !agreesButOrders(found, said)) return;
    const { initialMarginUsd: base } = found;
    if (base === null || said.initialMarginUsd === null) return;
    const residual = exact(said.initialMarginUsd).minus(base);
    const others = [...this.#residuals].filter(([other]) => other !== base);
    const isConfirmed = base === "0" || others.some(([, other]) => residual.eq(other));
    this.#residuals.set(base, residual.toFixed());
    if (residual.eq(ZERO) || isConfirmed) {
      this.#isUnified = true;
      this.#orderMargin = residual;
    }
  }

  /** The account at these prices, as far as the formulas hold. */
  figuresAt(prices: Prices): AccountFigures {
    return figuresAt(this.facts, this.rules, prices, this.#orderMargin ?? ZERO);
  }
}
