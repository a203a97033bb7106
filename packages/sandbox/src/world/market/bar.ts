import { bits, scaled } from "../random.js";

/**
 * One section of a price path, in whole points, with its trading. `activity` is traded volume in units that an instrument scales
 * to its own volume, `worth` is activity times price.
 */
export interface Bar {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly activity: number;
  readonly worth: number;
}

/** A single trade of the path. */
export interface Moment {
  readonly price: number;
  readonly activity: number;
}

/** Two consecutive bars as one. */
export const joined = (first: Bar, second: Bar): Bar => ({
  open: first.open,
  high: Math.max(first.high, second.high),
  low: Math.min(first.low, second.low),
  close: second.close,
  activity: first.activity + second.activity,
  worth: first.worth + second.worth,
});

/** Purposes of the random draws of one refinement. */
const DRAW = { high: 0, low: 1, step: 2, wick: 3, weight: 4 } as const;

/** A whole number from -`reach` to `reach`. */
export const swung = (random: number, reach: number): number => scaled(random, 2 * reach + 1) - reach;

const clamped = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/** The prices at which the parts of a bar end, and the parts with its high and its low. */
interface Walk {
  readonly closes: readonly number[];
  readonly peak: number;
  readonly trough: number;
}

/**
 * A random walk through a bar in `parts` steps: it ends at the bar's close, reaches the high at the end of one part and the low
 * at the end of another, and never leaves their range.
 */
function walk(bar: Bar, parts: number, root: number, key: number): Walk {
  const last = parts - 1;
  const peak = bar.high === bar.close ? last : scaled(bits(root, key, DRAW.high), last);
  const drawn = bar.low === bar.close ? last : scaled(bits(root, key, DRAW.low), last);
  const trough = drawn !== peak || bar.high === bar.low ? drawn : peak === 0 ? 1 : peak - 1;
  const goals = [
    { at: peak, price: bar.high },
    { at: trough, price: bar.low },
    { at: last, price: bar.close },
  ].sort((a, b) => a.at - b.at);
  const reach = Math.max(1, Math.floor(((bar.high - bar.low) * 2) / Math.sqrt(parts)));
  const closes: number[] = [];
  let price = bar.open;
  for (const goal of goals) {
    for (let at = closes.length; at <= goal.at; at++) {
      const pulled = price + Math.trunc((goal.price - price) / (goal.at - at + 1));
      price = at === goal.at ? goal.price : clamped(pulled + swung(bits(root, key, DRAW.step, at), reach), bar.low, bar.high);
      closes.push(price);
    }
  }
  return { closes, peak, trough };
}

/** Closing prices of the parts of a refinement, without the bars. */
export const closes = (bar: Bar, parts: number, root: number, key: number): readonly number[] =>
  walk(bar, parts, root, key).closes;

/** Splits a whole total by weight. The shares are whole numbers and add up to the total. */
function shared(total: number, weights: readonly number[]): readonly number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  let allotted = 0;
  let covered = 0;
  return weights.map((weight) => {
    covered += weight;
    const share = (covered === sum ? total : Math.floor(total * (covered / sum))) - allotted;
    allotted += share;
    return share;
  });
}

/** A bar in finer parts. Each opens at the close of the one before, and joined they are equal to the bar. */
export function refined(bar: Bar, parts: number, root: number, key: number): readonly Bar[] {
  const { closes, peak, trough } = walk(bar, parts, root, key);
  const activities = shared(
    bar.activity,
    closes.map((_, at) => 1 + scaled(bits(root, key, DRAW.weight, at), 99)),
  );
  const worths = shared(
    bar.worth,
    closes.map((close, at) => close * (activities[at] ?? 0)),
  );
  const wick = Math.max(1, Math.floor((bar.high - bar.low) / parts));
  let open = bar.open;
  return closes.map((close, at) => {
    const random = bits(root, key, DRAW.wick, at);
    const high = at === peak ? bar.high : Math.min(bar.high, Math.max(open, close) + scaled(random, wick));
    const low = at === trough ? bar.low : Math.max(bar.low, Math.min(open, close) - scaled(bits(random, at), wick));
    const part = { open, high, low, close, activity: activities[at] ?? 0, worth: worths[at] ?? 0 };
    open = close;
    return part;
  });
}

/** Percentage of ticks without a trade. */
const QUIET = 40;

/** The finest refinement: one price and its volume for each of `parts` moments. It reaches the high and the low. */
export function moments(bar: Bar, parts: number, root: number, key: number): readonly Moment[] {
  const { closes } = walk(bar, parts, root, key);
  const weights = closes.map((_, at) => Math.max(0, scaled(bits(root, key, DRAW.weight, at), 100) - QUIET));
  const activities = shared(bar.activity, weights);
  return closes.map((price, at) => ({ price, activity: activities[at] ?? 0 }));
}
