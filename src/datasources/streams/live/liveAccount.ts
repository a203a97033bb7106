import type { UnifiedAsset, UnifiedAssets } from "@exchange-graph/contract/asset";
import type { StreamedAssets } from "@exchange-graph/contract/channels/account";
import { type Clock, HOUR_MS } from "@exchange-graph/contract/clock";
import { isZero } from "@exchange-graph/contract/decimal";
import type { Order } from "@exchange-graph/contract/order";
import type { Position } from "@exchange-graph/contract/position";
import { isRead, mapRows, rowsRead } from "@exchange-graph/contract/rows";
import { FUTURES_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import type { AccountMode } from "../../calls/index.js";
import {
  type AccountFacts,
  type AccountFigures,
  AccountProof,
  isFuturesCategory,
  type MarginRules,
  type Prices,
  type Unproven,
} from "../../reads/index.js";
import type { MarketStreams } from "../listening.js";
import type { AccountHoldings, HeldFuturesAccount } from "../state/holdings.js";
import { AccountPrices } from "./accountPrices.js";
import type { LiveFigures } from "./liveEndpoints.js";
import type { UnprovenReason } from "./liveList.js";

/** Time after a reading during which the formulas are checked at new prices. */
const TRIED_FOR_MS = 1_000;
/** Price changes within this time are reported together: prices of one time are pushed one by one. */
const GATHER_MS = 20;
/** Minimum interval of reports. */
const PACE_MS = 200;
/** Number of immediate new readings if the formulas cannot be proven; then after pauses that double, up to the maximum. */
const TRIES = 3;
const LONGEST_PAUSE_MS = 60_000;
/** Time after which margin rules are read again, with the next change of the account. */
const RULES_MS = 300_000;
/** Pause if figures cannot be computed, for example for a missing price or debts that only the exchange knows. */
const NOT_COMPUTABLE_MS = 5_000;

/** State of one account from its streams. */
export interface CurrentAccount {
  /** New objects with each change; undefined while not all streams are up. */
  version(): { readonly positions: object; readonly holdings: object; readonly orders: object } | undefined;
  mode(): AccountMode | undefined;
  /** Whether a kind of state, or this part of it, is proven to be complete and current. */
  isProven(kind: "positions" | "accountUpdates" | "orders" | "planOrders", part?: string): boolean;
  positions(): readonly Position[] | undefined;
  holdings(): AccountHoldings | undefined;
  orders(): readonly Order[] | undefined;
  /** The account's figures show that it has no other positions than the known ones in these categories. */
  confirmed(categories: readonly string[]): void;
  /** Reads again what is not proven. */
  readAgain(unproven: Unproven): void;
  /** The margin rules of the account's positions and open orders. */
  rules(facts: AccountFacts): Promise<MarginRules>;
  failed(error: unknown): void;
}

type FigureKind = "positions" | "accountUpdates";

/** A list of the account that figures depend on, or all lists of its kind. */
interface FigureBasis {
  readonly kind: FigureKind | "orders";
  readonly part?: string | undefined;
}

type Versions = NonNullable<ReturnType<CurrentAccount["version"]>>;

const isSame = (one: Versions, other: Versions | undefined): boolean =>
  one.positions === other?.positions && one.holdings === other.holdings && one.orders === other.orders;

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
  /** The prices of this version: one may have become too old since. */
  #versionPrices: Prices | undefined;
  #tries = 0;
  #cancelRetry: (() => void) | undefined;
  #cancelNotice: (() => void) | undefined;
  #cancelInterest: (() => void) | undefined;
  /** Time of the last report of changed prices, Unix ms. */
  #noticeAt = Number.NEGATIVE_INFINITY;
  /** Time since when the current state is compared, Unix ms. */
  #ruledAt = 0;
  #isClosed = false;
  readonly #listeners = new Set<() => void>();

  constructor(
    private readonly current: CurrentAccount,
    market: Pick<MarketStreams, "ticker" | "tickerKnownUntil">,
    private readonly clock: Clock,
    private readonly exchangeNow: () => number,
  ) {
    this.#prices = new AccountPrices(market, exchangeNow, () => this.#moved());
  }

  /** Called after an event about the account. */
  changed(): void {
    this.#look();
  }

  /** Calls `listener` whenever prices have changed. */
  onMoved(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#isClosed = true;
    this.#listeners.clear();
    this.#cancelRetry?.();
    this.#cancelNotice?.();
    this.#cancelInterest?.();
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

  /** The lists that figures of this kind depend on. An isolated position of a unified account depends on itself. */
  basisOf(kind: FigureKind, category?: string): readonly FigureBasis[] {
    const isUnified = this.current.mode() === "UNIFIED";
    const isOfIt = ({ categoryRaw }: Position) => category === undefined || categoryRaw === category;
    const isPooled = (position: Position) => isOfIt(position) && (!isUnified || position.marginMode !== "isolated");
    const own = { kind: "positions", part: category } as const;
    if (kind === "positions" && this.current.positions()?.some(isPooled) !== true) return [own];
    if (isUnified) return [{ kind: "accountUpdates" }, { kind: "positions" }, { kind: "orders" }];
    return [own, { kind: "accountUpdates", part: category }];
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
        : figures.unified !== undefined || categories.every((category) => figures.wallets(category) !== undefined);
    if (isShown) return undefined;
    return proof.computable(prices) === undefined ? "NOT_COMPUTABLE" : "NOT_REPRODUCED";
  }

  /** Whether all streams are open that change the account. */
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
    return true;
  }

  #begin(versions: Versions): void {
    const before = this.#proof ?? this.#before;
    this.#before = before;
    this.#seen = versions;
    this.#proof = undefined;
    this.#version = {};
    this.#cancelRetry?.();
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
    this.#cancelRetry = this.clock.after(NOT_COMPUTABLE_MS, () => {
      this.#seen = undefined;
      this.#look();
    });
  }

  /** Debts grow by their interest every hour, which is not pushed. */
  #awaitInterest({ unified }: AccountFacts): void {
    this.#cancelInterest?.();
    this.#cancelInterest = undefined;
    if (debtsOf(unified).length === 0) return;
    const wait = HOUR_MS - (this.exchangeNow() % HOUR_MS);
    this.#cancelInterest = this.clock.after(wait, () => {
      this.#cancelInterest = undefined;
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
    this.#try(proof);
    if (proof.isWhole) this.#tries = 0;
    else this.#bookReading(proof, this.#pauseMs);
  }

  #moved(): void {
    this.#version = {};
    if (this.#look() && this.#proof !== undefined && this.#isTried(this.#proof)) this.#try(this.#proof);
    if (this.#proof?.isWhole === true) this.#tries = 0;
    if (this.#listeners.size === 0 || this.#cancelNotice !== undefined) return;
    const wait = Math.max(GATHER_MS, this.#noticeAt + PACE_MS - this.clock.now());
    this.#cancelNotice = this.clock.after(wait, () => this.#notify());
  }

  #try(proof: AccountProof): void {
    const before = proof.confirmedCategories.length;
    proof.tryAt(this.#prices.moments());
    if (proof.confirmedCategories.length > before) this.current.confirmed(proof.confirmedCategories);
  }

  /** What was proven earlier is compared with the last reading too. */
  #isTried(proof: AccountProof): boolean {
    return !proof.isWhole || (!proof.isConfirmed && this.clock.now() - this.#ruledAt < TRIED_FOR_MS);
  }

  #notify(): void {
    this.#cancelNotice = undefined;
    this.#noticeAt = this.clock.now();
    for (const listener of [...this.#listeners]) listener();
  }

  /** The account's holdings with the proven figures; undefined without any. */
  holdings(): AccountHoldings | undefined {
    const [said, figures, proof] = [this.current.holdings(), this.figures(), this.#proof];
    if (said === undefined || figures === undefined || proof === undefined) return undefined;
    if (said.unified !== null && !this.#isRead("accountUpdates")) return undefined;
    if (said.unified !== null) return figures.unified && { ...said, unified: withBorrowed(figures.unified, said.unified) };
    const moved = new Map(proof.facts.wallets.map((wallet, at) => [wallet, this.#shown?.figures.wallets[at]]));
    const isProven = ({ categoryRaw }: HeldFuturesAccount) =>
      figures.wallets(categoryRaw) !== undefined && this.#isRead("accountUpdates", categoryRaw);
    const futures = said.futures.map((wallet) => (isProven(wallet) ? { ...wallet, ...moved.get(wallet) } : wallet));
    return { ...said, futures };
  }

  #bookReading(proof: AccountProof, ms: number): void {
    this.#cancelRetry = this.clock.after(ms, () => this.#readAgain(proof));
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

/** The borrowed amount of each coin is in pushes only. */
function withBorrowed(unified: UnifiedAssets, said: StreamedAssets): StreamedAssets {
  const borrowed = new Map(rowsRead(said.assets).map((asset) => [asset.coin, asset.borrowed]));
  const assets = mapRows(unified.assets, (asset: UnifiedAsset) => ({ ...asset, borrowed: borrowed.get(asset.coin) ?? null }));
  return { ...unified, assets };
}

const all = <T>(rows: readonly (T | undefined)[]): readonly T[] | undefined => {
  const found = rows.filter((row) => row !== undefined);
  return found.length === rows.length ? found : undefined;
};

/** The contracts and debts that the account's figures depend on. */
const contractsOf = ({ positions, orders, unified }: AccountFacts): ReadonlySet<string> => {
  const contracts = [...positions, ...orders].map(({ categoryRaw, symbol }) => `${categoryRaw} ${symbol}`);
  return new Set([...contracts, ...debtsOf(unified).map((coin) => `debt ${coin}`)]);
};

const debtsOf = (unified: AccountFacts["unified"]): readonly string[] =>
  (unified?.assets ?? []).flatMap(({ coin, debt }) => (debt === null || isZero(debt) ? [] : [coin]));

function factsOf(current: CurrentAccount): AccountFacts | undefined {
  const [positions, holdings, open] = [current.positions(), current.holdings(), current.orders()];
  if (positions === undefined || holdings === undefined || open === undefined) return undefined;
  const { unified, futures } = holdings;
  // The funds that orders of a Classic account hold are part of its balances.
  if (unified === null) return { positions, unified, wallets: futures, orders: [] };
  if (!unified.assets.every(isRead)) return undefined;
  const assets = rowsRead(unified.assets).map(({ borrowed, ...asset }) => asset);
  const orders = open.filter(({ category }) => isFuturesCategory(category));
  return { positions, unified: { ...unified, assets }, wallets: [], orders };
}

function pricesOf({ positions, unified, wallets, orders }: AccountFacts) {
  const coins = new Set(["BTC", ...positions.map(({ marginCoin }) => marginCoin)]);
  for (const { coin } of unified?.assets ?? []) coins.add(coin);
  for (const { marginCoin } of wallets) coins.add(marginCoin);
  if (orders.some(({ category }) => category === "USDC-FUTURES")) coins.add("USDC");
  const contracts = positions.flatMap(({ category, symbol }) => (isFuturesCategory(category) ? [{ category, symbol }] : []));
  return { contracts, coins: [...coins] };
}
