/**
 * The price paths of the world. An instrument follows one of them, so that spot, perpetuals and deliveries of a coin
 * move together.
 */
export interface Underlying {
  /** Decimals of one point, the unit of the path. */
  readonly places: number;
  /** Long-term mean of the price, in points. */
  readonly anchor: number;
  /** Amplitude around the anchor over months, in parts per thousand. */
  readonly swing: number;
}

const path = (places: number, anchor: number, swing: number): Underlying => ({ places, anchor, swing });

export const UNDERLYINGS: ReadonlyMap<string, Underlying> = new Map([
  ["BTC", path(2, 6_425_000, 220)],
  ["ETH", path(2, 342_000, 260)],
  ["SOL", path(3, 145_200, 320)],
  ["XRP", path(5, 62_150, 280)],
  ["DOGE", path(6, 125_400, 340)],
  ["ADA", path(5, 45_120, 300)],
  ["LTC", path(3, 82_300, 240)],
  ["LINK", path(4, 142_600, 300)],
  ["AVAX", path(4, 281_300, 320)],
  ["TRX", path(6, 121_500, 180)],
  ["BNB", path(2, 58_040, 200)],
  ["DOT", path(4, 61_200, 280)],
  ["SUI", path(5, 182_400, 340)],
  ["SHIB", path(10, 182_300, 360)],
  ["USDC", path(5, 99_990, 1)],
  ["龙虾", path(6, 32_140, 340)],
  ["ETH/BTC", path(6, 53_230, 90)],
]);
