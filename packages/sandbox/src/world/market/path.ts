import { HOUR_MS, MINUTE_MS } from "@exchange-graph/contract/clock";
import { bound } from "../../bounded.js";
import type { Underlying } from "../catalogue/underlyings.js";
import { bits, rootOf, scaled } from "../random.js";
import { type Bar, closes, type Moment, moments, refined, swung } from "./bar.js";

/** Length of a tick of the market, in ms. */
export const TICK_MS = 200;
export const TICKS_PER_MINUTE = MINUTE_MS / TICK_MS;
const MINUTES_PER_HOUR = 60;
const HOURS_PER_DAY = 24;

/** A minute or an hour, counted from 1970. */
export interface Stretch {
  readonly unit: "minute" | "hour";
  readonly number: number;
}

const TICKS_OF = { minute: TICKS_PER_MINUTE, hour: HOUR_MS / TICK_MS } as const;

/** The minute or hour that contains a tick. */
export const stretchOf = (unit: Stretch["unit"], tick: number): Stretch => ({ unit, number: Math.floor(tick / TICKS_OF[unit]) });
/** The last tick of a minute or hour. */
export const lastTickOf = ({ unit, number }: Stretch): number => (number + 1) * TICKS_OF[unit] - 1;

/** The slow movement of a price: waves with these periods in days and these weights in percent. */
const WAVES = [
  { days: 128, weight: 46 },
  { days: 32, weight: 28 },
  { days: 8, weight: 16 },
  { days: 2, weight: 10 },
] as const;
const WAVE_HEIGHT = 65_536;
/** Maximum distance of a day's high and low from its open and close, in parts of the swing. */
const DAY_WICK = 16;
const LEAST_ACTIVITY = 50_000_000;
const MORE_ACTIVITY = 100_000_000;

/** A bounded cache of the latest computed values. */
class Recent<V> {
  readonly #values = new Map<number, V>();

  constructor(
    private readonly most: number,
    private readonly compute: (key: number) => V,
  ) {}

  get(key: number): V {
    const cached = this.#values.get(key);
    if (cached !== undefined) return cached;
    const value = this.compute(key);
    this.#values.set(key, value);
    bound(this.#values, this.most);
    return value;
  }
}

/**
 * The price of one underlying at every time, past and future, computed from a seed.
 *
 * It is computed from the top down. The close of a day depends on the day's number only; a day is refined into hours, those into
 * minutes, those into ticks, each time within the range of the coarser bar. So any time can be computed directly, and candles of
 * every interval are consistent with each other and with the trades to the last digit.
 */
export class PricePath {
  readonly #root: number;
  readonly #reach: number;
  readonly #hours = new Recent<readonly Bar[]>(400, (day) => refined(this.day(day), HOURS_PER_DAY, this.#root, day));
  readonly #minutes = new Recent<readonly Bar[]>(200, (hour) => refined(this.hour(hour), MINUTES_PER_HOUR, this.#root, hour));
  readonly #closes = new Recent<readonly number[]>(200, (hour) => closes(this.hour(hour), MINUTES_PER_HOUR, this.#root, hour));
  readonly #moments = new Recent<readonly Moment[]>(16, (minute) =>
    moments(this.minute(minute), TICKS_PER_MINUTE, this.#root, minute),
  );

  constructor(
    seed: string,
    name: string,
    readonly underlying: Underlying,
  ) {
    this.#root = rootOf(`${seed}/path/${name}`);
    this.#reach = Math.floor((underlying.anchor * underlying.swing) / 1000);
  }

  /** The bar of a day, counted from 1970 in UTC. */
  day(day: number): Bar {
    const open = this.#dayCloseOf(day - 1);
    const close = this.#dayCloseOf(day);
    const wick = Math.max(1, Math.floor(this.#reach / DAY_WICK));
    const high = Math.max(open, close) + scaled(bits(this.#root, day, 1), wick);
    const low = Math.min(open, close) - scaled(bits(this.#root, day, 2), wick);
    const activity = LEAST_ACTIVITY + scaled(bits(this.#root, day, 3), MORE_ACTIVITY);
    return { open, high, low, close, activity, worth: activity * Math.floor((open + high + low + close) / 4) };
  }

  hour(hour: number): Bar {
    return partOf(this.#hours.get(Math.floor(hour / HOURS_PER_DAY)), hour % HOURS_PER_DAY);
  }

  minute(minute: number): Bar {
    return partOf(this.#minutes.get(Math.floor(minute / MINUTES_PER_HOUR)), minute % MINUTES_PER_HOUR);
  }

  /** Closing price of a minute: faster than its whole bar if one minute each of many hours is read. */
  closeOf(minute: number): number {
    return partOf(this.#closes.get(Math.floor(minute / MINUTES_PER_HOUR)), minute % MINUTES_PER_HOUR);
  }

  stretch({ unit, number }: Stretch): Bar {
    return unit === "minute" ? this.minute(number) : this.hour(number);
  }

  /** The trade at a tick: its price is valid until the next one. */
  tick(tick: number): Moment {
    return partOf(this.#moments.get(Math.floor(tick / TICKS_PER_MINUTE)), tick % TICKS_PER_MINUTE);
  }

  #dayCloseOf(day: number): number {
    let height = 0;
    for (const { days, weight } of WAVES) {
      const wave = Math.floor(day / days);
      const into = day - wave * days;
      const from = swung(bits(this.#root, wave, 4, days), WAVE_HEIGHT);
      const to = swung(bits(this.#root, wave + 1, 4, days), WAVE_HEIGHT);
      height += (weight * (from * (days - into) + to * into)) / days;
    }
    return this.underlying.anchor + Math.floor((this.#reach * height) / (100 * WAVE_HEIGHT));
  }
}

/** A part of a refinement. Throws `RangeError` for times before 1970. */
function partOf<T>(parts: readonly T[], at: number): T {
  const part = parts[at];
  if (part === undefined) throw new RangeError("a path has no time before 1970");
  return part;
}
