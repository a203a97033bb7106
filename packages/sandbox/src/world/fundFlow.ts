import { MINUTE_MS } from "@exchange-graph/contract/clock";
import { type Exact, exact, truncated } from "@exchange-graph/contract/decimal";
import { candle } from "./market/candles.js";
import type { Market } from "./market/market.js";
import { bits, scaled } from "./random.js";

/** Investors by size, largest first. */
export const INVESTORS = ["whale", "dolphin", "fish"] as const;
type Investor = (typeof INVESTORS)[number];

/** Bought or sold volume of each class of investors, in base coin, and its share of the total, as a fraction. */
export type Flow = Readonly<Record<Investor, { readonly volume: Exact; readonly ratio: Exact }>>;

const RATIO_PLACES = 4;
const WHOLE = 10_000;

/**
 * Volume of each class of investors in the `minutes` before `now`. Every trade has a buyer and a seller, so both sides have the
 * same total.
 */
export function fundFlow(market: Market, minutes: number, now: number): { readonly bought: Flow; readonly sold: Flow } {
  const end = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  const { volume } = candle(market.listing, market.prints, end - minutes * MINUTE_MS, end);
  const draw = (side: number) => bits(market.listing.root, end / MINUTE_MS, minutes, side);
  return { bought: split(volume, draw(0), draw(1)), sold: split(volume, draw(2), draw(3)) };
}

/** Splits a volume in three by two draws. The last part is the remainder, so the parts add up exactly. */
function split(volume: Exact, one: number, other: number): Flow {
  const whale = share(2_000 + scaled(one, 3_000));
  const dolphin = share(1_000 + scaled(other, 2_000));
  const fish = exact("1").minus(whale).minus(dolphin);
  const whaleVolume = volume.times(whale);
  const dolphinVolume = volume.times(dolphin);
  return {
    whale: { volume: whaleVolume, ratio: whale },
    dolphin: { volume: dolphinVolume, ratio: dolphin },
    fish: { volume: volume.minus(whaleVolume).minus(dolphinVolume), ratio: fish },
  };
}

const share = (parts: number): Exact => truncated(exact(String(parts)).div(exact(String(WHOLE))), RATIO_PLACES);
