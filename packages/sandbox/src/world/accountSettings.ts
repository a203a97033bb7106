import type { Exact } from "@exchange-graph/contract/decimal";
import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import { FUTURES_CATEGORIES, type FuturesCategory } from "@exchange-graph/contract/vocabulary";
import { Refused } from "../refused.js";
import type { Account, HoldMode, MarginMode, PositionSide, SymbolSetting } from "./accounts.js";
import type { FuturesInstrument } from "./catalogue/instrument.js";
import { maxCoinLeverage } from "./catalogue/margin.js";
import { dialectOf, refused } from "./dialect.js";
import { isUnified, tradingWallet } from "./funds/wallets.js";
import { walletOf, ZERO } from "./ledger.js";
import { figuresOf } from "./margin/figures.js";
import { presentPrices } from "./margin/prices.js";
import { unifiedMargin } from "./margin/unified.js";
import { least } from "./money.js";
import { isTraded, listedContract } from "./orders/orderTerms.js";
import { initialMargin, type Position, tierOf } from "./positions/position.js";
import type { PositionMargin } from "./positions/positionMargin.js";
import type { State } from "./state.js";

/** New leverages of a symbol. Missing values are unchanged. */
interface Leverages {
  readonly crossed?: number | undefined;
  readonly long?: number | undefined;
  readonly short?: number | undefined;
}

interface SymbolOf {
  readonly uid: string;
  readonly category: FuturesCategory;
  readonly symbol: string;
}

/**
 * Modes, leverage and isolated margin. Setting the current value succeeds without a change; modes cannot change while there is a
 * position or an order.
 */
export class Settings {
  constructor(
    private readonly state: State,
    private readonly collateral: PositionMargin,
  ) {}

  /**
   * Sets leverages of a symbol. On a unified account they apply to open positions if tier and margin allow it; on Classic there
   * must be neither a position nor an order.
   */
  setLeverage(of: SymbolOf, leverages: Leverages): SymbolSetting {
    const instrument = listedContract(this.state, of);
    const account = this.state.accounts.of(of.uid);
    const before = account.setting(instrument.category, instrument.symbol);
    const after = {
      ...before,
      crossed: leverages.crossed ?? before.crossed,
      long: leverages.long ?? before.long,
      short: leverages.short ?? before.short,
    };
    const positions = this.state.positions.onSymbol(of.uid, instrument.category, instrument.symbol);
    const most = Math.min(instrument.contract.maxLeverage, ...positions.map(({ cost }) => tierOf(instrument, cost).leverage));
    for (const leverage of [after.crossed, after.long, after.short]) this.#checkLeverage(account, leverage, most);
    if (isSame(before, after)) return before;
    if (!isUnified(account)) this.#checkIdle(of.uid, instrument, positions);
    for (const position of positions) this.#checkMargin(account, position, instrument, leverageAfter(after, position));
    for (const position of positions) this.#apply(position, instrument, leverageAfter(after, position));
    account.setSetting(instrument.category, instrument.symbol, after);
    this.#emit(of.uid);
    return after;
  }

  setCoinLeverage(uid: string, coin: string, leverage: number): void {
    const account = this.state.accounts.of(uid);
    if (!this.state.catalogue.coins.includes(coin)) throw new Refused(REFUSAL.unknownValue, "coin");
    this.#checkLeverage(account, leverage, maxCoinLeverage(this.state.catalogue.marginPairs, coin));
    account.setCoinLeverage(coin, leverage);
    this.#emit(uid);
  }

  setMarginMode(of: SymbolOf, marginMode: MarginMode): SymbolSetting {
    const { category, symbol } = listedContract(this.state, of);
    const account = this.state.accounts.of(of.uid);
    const before = account.setting(category, symbol);
    if (before.marginMode === marginMode) return before;
    if (isTraded(this.state, of.uid, category, symbol)) throw new Refused(REFUSAL.marginModeBusy);
    const after = { ...before, marginMode };
    account.setSetting(category, symbol, after);
    this.#emit(of.uid);
    return after;
  }

  /** Classic sets one product type at a time, a unified account all of them. */
  setHoldMode(uid: string, mode: HoldMode, category?: FuturesCategory): void {
    const account = this.state.accounts.of(uid);
    const categories = category === undefined ? FUTURES_CATEGORIES : [category];
    const changing = categories.filter((each) => account.holdMode(each) !== mode);
    for (const each of changing) {
      if (!isTraded(this.state, uid, each)) continue;
      if (!isUnified(account)) throw new Refused(REFUSAL.positionModeBusy);
      const isHeld = [...this.state.positions.open(uid)].some((position) => position.category === each);
      throw new Refused(isHeld ? REFUSAL.unifiedPositionModeHeld : REFUSAL.unifiedPositionModeOrdered);
    }
    account.setHoldMode(mode, changing);
    this.#emit(uid);
  }

  /** Adds margin to an isolated position, or removes it if the amount is negative. */
  adjustMargin(of: SymbolOf & { readonly side: PositionSide }, amount: Exact): void {
    const instrument = listedContract(this.state, of);
    const position = this.state.positions.find({ ...of, symbol: instrument.symbol });
    const account = this.state.accounts.of(of.uid);
    const dialect = dialectOf(account, instrument.category);
    if (position === undefined) throw refused(dialect, "noPosition");
    if (position.marginMode === "crossed") throw new Refused(REFUSAL.marginOfCrossed);
    if (amount.gt(ZERO)) {
      const wallet = tradingWallet(account, instrument.category);
      if (this.state.ledger.balance(wallet, position.marginCoin).available.lt(amount))
        throw refused(dialect, "insufficientMargin");
      this.collateral.lock(position, amount);
    } else {
      const { mark, unrealised } = figuresOf(this.state, position, presentPrices(this.state));
      const needed = initialMargin(instrument, position.size, mark, position.leverage);
      const left = position.margin.plus(amount).plus(least(ZERO, unrealised));
      if (left.lt(needed)) throw new Refused(REFUSAL.marginBeyondTransferable);
      this.collateral.unlock(position, ZERO.minus(amount));
    }
    position.updatedTime = this.state.now();
    this.state.events.emit({ kind: "position", position });
  }

  #checkLeverage(account: Account, leverage: number, most: number): void {
    if (leverage >= 1 && leverage <= most) return;
    if (isUnified(account)) throw new Refused(REFUSAL.unifiedLeverageTooHigh, String(most));
    throw new Refused(REFUSAL.leverageOutOfRange);
  }

  #checkIdle(uid: string, { category, symbol }: FuturesInstrument, positions: readonly Position[]): void {
    if (positions.length > 0) throw new Refused(REFUSAL.leverageHeld);
    if (isTraded(this.state, uid, category, symbol)) throw new Refused(REFUSAL.leverageOrdered);
  }

  /** Checks that the margin suffices for a position of a unified account at another leverage. */
  #checkMargin({ uid }: Account, position: Position, instrument: FuturesInstrument, leverage: number): void {
    const more = this.#moreMargin(position, instrument, leverage);
    if (more.lte(ZERO)) return;
    const { marginCoin, marginMode } = position;
    const isThere =
      marginMode === "crossed"
        ? unifiedMargin(this.state, uid).free.gte(more.times(presentPrices(this.state).coin(marginCoin)))
        : this.state.ledger.balance(walletOf(uid, "unified"), marginCoin).available.gte(more);
    if (!isThere) throw new Refused(REFUSAL.unifiedLeverageMargin);
  }

  #apply(position: Position, instrument: FuturesInstrument, leverage: number): void {
    const more = this.#moreMargin(position, instrument, leverage);
    if (position.marginMode === "isolated" && more.gt(ZERO)) this.collateral.lock(position, more);
    position.leverage = leverage;
    this.state.events.emit({ kind: "position", position });
  }

  #moreMargin(position: Position, instrument: FuturesInstrument, leverage: number): Exact {
    const { mark, initial } = figuresOf(this.state, position, presentPrices(this.state));
    return initialMargin(instrument, position.size, mark, leverage).minus(initial);
  }

  #emit(uid: string): void {
    this.state.events.emit({ kind: "settings", uid });
  }
}

const isSame = (before: SymbolSetting, after: SymbolSetting): boolean =>
  before.crossed === after.crossed && before.long === after.long && before.short === after.short;

const leverageAfter = (setting: SymbolSetting, { marginMode, side }: Position): number =>
  marginMode === "crossed" ? setting.crossed : setting[side];
