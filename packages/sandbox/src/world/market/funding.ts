import { HOUR_MS } from "@exchange-graph/contract/clock";
import { type Exact, exact } from "@exchange-graph/contract/decimal";
import type { FuturesInstrument } from "../catalogue/instrument.js";
import { bits } from "../random.js";
import { swung } from "./bar.js";
import type { Listing } from "./listing.js";

/** What longs pay shorts at the end of a funding period; negative when shorts pay. Rates count in millionths. */
const INTEREST_PART = 30;
const PER_PREMIUM_PART = 6;
const NOISE = 45;
const LARGEST = 3_000;
/** The largest and the smallest rate there can be, as fractions. */
export const RATE_BOUNDS = { min: "-0.003", max: "0.003" } as const;

/** How long it is from one settlement of funding to the next, ms. */
export const fundingMs = ({ contract }: FuturesInstrument): number => contract.fundingHours * HOUR_MS;

/** When the funding period that holds `at` ends and is paid, Unix ms. */
export const nextFunding = (instrument: FuturesInstrument, at: number): number =>
  (Math.floor(at / fundingMs(instrument)) + 1) * fundingMs(instrument);

/** The rate that is paid at `time`, the end of a funding period. Deliveries have none. */
export function fundingRate(listing: Listing, time: number): Exact {
  const { making, contract } = listing.instrument;
  if (contract === undefined || contract.delivery !== undefined) return exact("0");
  const noise = swung(bits(listing.root, Math.floor(time / HOUR_MS), 7), NOISE);
  const rate = INTEREST_PART + making.premium * PER_PREMIUM_PART + noise;
  return exact(String(Math.max(-LARGEST, Math.min(LARGEST, rate)))).times("0.000001");
}
