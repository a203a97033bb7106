import { HOUR_MS } from "@exchange-graph/contract/clock";
import { type Exact, exact } from "@exchange-graph/contract/decimal";
import type { FuturesInstrument } from "../catalogue/instrument.js";
import { bits } from "../random.js";
import { swung } from "./bar.js";
import type { Listing } from "./listing.js";

/** Funding that longs pay to shorts at the end of a funding period; negative if shorts pay. Rates are in millionths. */
const INTEREST_PART = 30;
const PER_PREMIUM_PART = 6;
const NOISE = 45;
const LARGEST = 3_000;
/** Maximum and minimum rate, as fractions. */
export const RATE_BOUNDS = { min: "-0.003", max: "0.003" } as const;

/** Time between two settlements of funding, ms. */
export const fundingMs = ({ contract }: FuturesInstrument): number => contract.fundingHours * HOUR_MS;

/** End of the funding period that contains `at`, Unix ms. Funding is paid then. */
export const nextFunding = (instrument: FuturesInstrument, at: number): number =>
  (Math.floor(at / fundingMs(instrument)) + 1) * fundingMs(instrument);

/** The rate paid at `time`, the end of a funding period. Delivery contracts have none. */
export function fundingRate(listing: Listing, time: number): Exact {
  const { making, contract } = listing.instrument;
  if (contract === undefined || contract.delivery !== undefined) return exact("0");
  const noise = swung(bits(listing.root, Math.floor(time / HOUR_MS), 7), NOISE);
  const rate = INTEREST_PART + making.premium * PER_PREMIUM_PART + noise;
  return exact(String(Math.max(-LARGEST, Math.min(LARGEST, rate)))).times("0.000001");
}
