import { type DecimalText, type Exact, exact, plain, truncated } from "@exchange-graph/contract/decimal";

/** Writes `units` of the last of `places` decimals as decimal text with all decimals. */
function fixedText(units: number, places: number): DecimalText {
  const digits = String(units).padStart(places + 1, "0");
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

const toWhole = (value: Exact): number => Number.parseInt(plain(truncated(value, 0)), 10);

/**
 * The price and quantity steps of an instrument. The market counts both in whole numbers of steps: they are exact and fast to
 * compare, and are converted to decimals only for payments.
 */
export class Grid {
  readonly tickSize: Exact;
  /** Units of the last decimal per coin. */
  readonly #perPrice: Exact;
  readonly #perQuantity: Exact;

  constructor(
    readonly pricePrecision: number,
    readonly quantityPrecision: number,
  ) {
    this.tickSize = exact(fixedText(1, pricePrecision));
    this.#perPrice = exact(String(10 ** pricePrecision));
    this.#perQuantity = exact(String(10 ** quantityPrecision));
  }

  /** A price with all its decimals, as order books print it. */
  priceText(steps: number): DecimalText {
    return fixedText(steps, this.pricePrecision);
  }

  price(steps: number): Exact {
    return exact(this.priceText(steps));
  }

  steps(price: Exact): number {
    return toWhole(price.times(this.#perPrice));
  }

  isPrice(price: Exact): boolean {
    return price.mod(this.tickSize).eq("0");
  }

  quantityText(units: number): DecimalText {
    return fixedText(units, this.quantityPrecision);
  }

  quantity(units: number): Exact {
    return exact(this.quantityText(units));
  }

  units(quantity: Exact): number {
    return toWhole(quantity.times(this.#perQuantity));
  }

  isQuantity(quantity: Exact): boolean {
    return truncated(quantity, this.quantityPrecision).eq(quantity);
  }

  /** The largest allowed quantity up to `quantity`. */
  floored(quantity: Exact): Exact {
    return truncated(quantity, this.quantityPrecision);
  }
}
