import { inCapitals } from "@exchange-graph/contract/letterCase";
import { marketCategoryOf, type ProductCategory } from "@exchange-graph/contract/vocabulary";
import { COLLATERAL, type Collateral } from "./catalogue/collateral.js";
import { futuresInstruments } from "./catalogue/futures.js";
import type { FuturesInstrument, Instrument } from "./catalogue/instrument.js";
import { MARGIN_PAIRS, type MarginPair } from "./catalogue/margin.js";
import { SPOT_INSTRUMENTS } from "./catalogue/spot.js";

/** All listings of the world, by name. */
export class Catalogue {
  /** In the order in which the world processes them. */
  readonly instruments: readonly Instrument[];
  readonly futures: readonly FuturesInstrument[];
  readonly marginPairs: readonly MarginPair[] = MARGIN_PAIRS;
  readonly collateral: readonly Collateral[] = COLLATERAL;
  /** Every coin in which some instrument trades or settles. */
  readonly coins: readonly string[];
  readonly #byName: ReadonlyMap<string, Instrument>;
  readonly #collateralOf: ReadonlyMap<string, Collateral>;

  /** `startMs`: when the world begins; delivery contracts are listed by it. */
  constructor(startMs: number) {
    this.futures = futuresInstruments(startMs);
    this.instruments = [...SPOT_INSTRUMENTS, ...this.futures];
    this.#byName = new Map(this.instruments.map((instrument) => [`${instrument.category}/${instrument.symbol}`, instrument]));
    this.#collateralOf = new Map(COLLATERAL.map((collateral) => [collateral.coin, collateral]));
    const coins = this.instruments.flatMap(({ baseCoin, quoteCoin, contract }) => [baseCoin, contract?.marginCoin ?? quoteCoin]);
    this.coins = [...new Set(coins)].sort();
  }

  /** The instrument of a name, in any letter case; undefined if it is not listed. */
  find(category: ProductCategory, symbol: string): Instrument | undefined {
    return this.#byName.get(`${marketCategoryOf(category)}/${inCapitals(symbol)}`);
  }

  list(category: ProductCategory): readonly Instrument[] {
    const market = marketCategoryOf(category);
    return this.instruments.filter((instrument) => instrument.category === market);
  }

  marginPair(symbol: string): MarginPair | undefined {
    return this.marginPairs.find((pair) => pair.symbol === inCapitals(symbol));
  }

  collateralOf(coin: string): Collateral | undefined {
    return this.#collateralOf.get(coin);
  }
}
