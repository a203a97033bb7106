import { type DecimalText, type Exact, exact, plain, truncated } from "@exchange-graph/contract/decimal";

/** Writes `units` of the last of `places` decimals as decimal text with all its places. */
function fixedText(units: number, places: number): DecimalText {
  const digits = String(units).padStart(places + 1, "0");
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

const toWhole = (value: Exact): number => Number.parseInt(plain(truncated(value, 0)), 10);

/**
 * The prices and quantities that an instrument allows. Inside the market both are whole numbers, of price steps and of
 * units of quantity: exact, quick to compare, and turned into decimals only where money changes hands.
 */
export class Grid {
  readonly #tickSize: Exact;
  /** How many units of the last place make one whole coin. */
  readonly #perPrice: Exact;
  readonly #perQuantity: Exact;

  constructor(
    readonly pricePrecision: number,
    readonly priceStep: number,
    readonly quantityPrecision: number,
  ) {
    this.#tickSize = exact(fixedText(priceStep, pricePrecision));
    this.#perPrice = exact(String(10 ** pricePrecision));
    this.#perQuantity = exact(String(10 ** quantityPrecision));
  }

  /** The size of one price step. */
  get tickSize(): Exact {
    return this.#tickSize;
  }

  /** A price with all its places, as order books print it. */
  priceText(steps: number): DecimalText {
    return fixedText(steps * this.priceStep, this.pricePrecision);
  }

  price(steps: number): Exact {
    return exact(this.priceText(steps));
  }

  /** How many whole steps a price holds. */
  steps(price: Exact): number {
    return Math.floor(toWhole(price.times(this.#perPrice)) / this.priceStep);
  }

  isPrice(price: Exact): boolean {
    return price.mod(this.#tickSize).eq("0");
  }

  quantityText(units: number): DecimalText {
    return fixedText(units, this.quantityPrecision);
  }

  quantity(units: number): Exact {
    return exact(this.quantityText(units));
  }

  /** How many whole units a quantity holds. */
  units(quantity: Exact): number {
    return toWhole(quantity.times(this.#perQuantity));
  }

  isQuantity(quantity: Exact): boolean {
    return truncated(quantity, this.quantityPrecision).eq(quantity);
  }

  /** The largest allowed quantity that is not above `quantity`. */
  floored(quantity: Exact): Exact {
    return truncated(quantity, this.quantityPrecision);
  }
}
