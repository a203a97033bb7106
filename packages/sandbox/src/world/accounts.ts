import { FUTURES_CATEGORIES, type FuturesCategory } from "@exchange-graph/contract/vocabulary";

export type HoldMode = "one_way_mode" | "hedge_mode";
export type MarginMode = "crossed" | "isolated";
export type PositionSide = "long" | "short";

/** `upgrading` leads from Classic to unified, `switching` back; neither API version serves an account meanwhile. */
export type AccountMode = "unified" | "classic" | "upgrading" | "switching";

/** Trading settings of a symbol: leverage for cross margin and for each side of isolated margin. */
export interface SymbolSetting {
  readonly marginMode: MarginMode;
  readonly crossed: number;
  readonly long: number;
  readonly short: number;
}

const DEFAULT_SETTING: SymbolSetting = { marginMode: "crossed", crossed: 20, long: 10, short: 10 };
/** Leverage of margin borrowing for coins without a setting of their own. */
const DEFAULT_COIN_LEVERAGE = 3;

interface AccountOptions {
  readonly uid: string;
  /** The master of a sub-account. */
  readonly parentUid?: string;
  readonly mode: AccountMode;
  /** Unix ms. */
  readonly createdTime: number;
  /** May create and operate sub-accounts as a business. */
  readonly isNdBroker?: boolean;
  /** Followed by copy traders; some rate limits are lower. */
  readonly isCopyTrader?: boolean;
}

/** A user of the exchange with all settings of the account. Balances are in the ledger. */
export class Account {
  readonly uid: string;
  readonly parentUid: string | undefined;
  readonly createdTime: number;
  readonly isNdBroker: boolean;
  readonly isCopyTrader: boolean;
  mode: AccountMode;
  /** Classic futures: margin is one coin (`single`) or several of the product type. */
  readonly assetMode = "single";
  readonly #holdModes = new Map<FuturesCategory, HoldMode>();
  readonly #settings = new Map<string, SymbolSetting>();
  readonly #coinLeverages = new Map<string, number>();

  constructor(options: AccountOptions) {
    this.uid = options.uid;
    this.parentUid = options.parentUid;
    this.mode = options.mode;
    this.createdTime = options.createdTime;
    this.isNdBroker = options.isNdBroker ?? false;
    this.isCopyTrader = options.isCopyTrader ?? false;
  }

  /** Classic has a position mode per product type, a unified account one for all. */
  holdMode(category: FuturesCategory): HoldMode {
    return this.#holdModes.get(category) ?? "one_way_mode";
  }

  setHoldMode(mode: HoldMode, categories: readonly FuturesCategory[] = FUTURES_CATEGORIES): void {
    for (const category of categories) this.#holdModes.set(category, mode);
  }

  setting(category: FuturesCategory, symbol: string): SymbolSetting {
    return this.#settings.get(`${category}/${symbol}`) ?? DEFAULT_SETTING;
  }

  setSetting(category: FuturesCategory, symbol: string, setting: SymbolSetting): void {
    this.#settings.set(`${category}/${symbol}`, setting);
  }

  /** The symbols whose settings have been changed. */
  settings(): readonly (readonly [name: string, setting: SymbolSetting])[] {
    return [...this.#settings];
  }

  coinLeverage(coin: string): number {
    return this.#coinLeverages.get(coin) ?? DEFAULT_COIN_LEVERAGE;
  }

  setCoinLeverage(coin: string, leverage: number): void {
    this.#coinLeverages.set(coin, leverage);
  }

  coinLeverages(): readonly (readonly [coin: string, leverage: number])[] {
    return [...this.#coinLeverages];
  }
}

export const leverageOf = (setting: SymbolSetting, side: PositionSide): number =>
  setting.marginMode === "crossed" ? setting.crossed : setting[side];

/** All users, by uid. */
export class Accounts {
  readonly #byUid = new Map<string, Account>();

  open(options: AccountOptions): Account {
    const account = new Account(options);
    this.#byUid.set(account.uid, account);
    return account;
  }

  find(uid: string): Account | undefined {
    return this.#byUid.get(uid);
  }

  /** The account of a uid that must exist, because a key or a record refers to it. */
  of(uid: string): Account {
    const account = this.#byUid.get(uid);
    if (account === undefined) throw new RangeError(`there is no account ${uid}`);
    return account;
  }

  all(): readonly Account[] {
    return [...this.#byUid.values()];
  }

  masters(): readonly Account[] {
    return this.all().filter(({ parentUid }) => parentUid === undefined);
  }

  /** The sub-accounts of a master, oldest first. */
  subAccounts(uid: string): readonly Account[] {
    return this.all().filter(({ parentUid }) => parentUid === uid);
  }
}
