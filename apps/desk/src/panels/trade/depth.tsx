import { addDecimals, compareDecimals, subtractDecimals } from "@exchange-graph/client";
import { amount } from "../../format/format.js";
import { t } from "../../text/text.js";
import { Empty } from "../../ui/state.js";
import book from "./book.module.css";
import styles from "./depth.module.css";
import type { Level } from "./level.js";

interface DepthProps {
  /** Best first, with cumulative quantities. */
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
  readonly label: string;
  readonly decimals: number;
  /** Coin of the quantities. */
  readonly coin: string | null | undefined;
}

/** Size of the drawing in its own units. */
const [WIDTH, HEIGHT] = [400, 300];

/** Pixels are not money: values for drawing may be floats. */
const drawn = (text: string): number => Number(text);
const greater = (one: string, other: string): string => (compareDecimals(one, other) > 0 ? one : other);

/** Cumulative quantities by price: bids to the left of the middle, asks to the right, with the same scales. */
export function Depth({ bids, asks, label, decimals, coin }: DepthProps) {
  const [bid, ask] = [bids[0]?.price, asks[0]?.price];
  const [lowest, highest] = [bids.at(-1), asks.at(-1)];
  if (bid === undefined || ask === undefined || lowest === undefined || highest === undefined)
    return <Empty>{t("One side of the book is empty")}</Empty>;
  const reach = greater(subtractDecimals(bid, lowest.price), subtractDecimals(highest.price, ask));
  const most = greater(lowest.total, highest.total);
  const [width, height] = [drawn(reach) || 1, drawn(most) || 1];
  const area = (levels: readonly Level[], best: string, direction: 1 | -1) => {
    const x = (price: string) => WIDTH / 2 + direction * (Math.abs(drawn(price) - drawn(best)) / width) * (WIDTH / 2);
    const y = (total: string) => HEIGHT - (drawn(total) / height) * (HEIGHT - 8);
    const steps = levels.map(({ price, total }) => `H${x(price).toFixed(1)}V${y(total).toFixed(1)}`);
    return `M${WIDTH / 2} ${HEIGHT}${steps.join("")}V${HEIGHT}Z`;
  };
  return (
    <div className={book.levels}>
      <svg className={styles.depth} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
        <path className={styles.bids} d={area(bids, bid, -1)} vectorEffect="non-scaling-stroke" />
        <path className={styles.asks} d={area(asks, ask, 1)} vectorEffect="non-scaling-stroke" />
      </svg>
      <p className={book.summary}>
        <span>{amount(subtractDecimals(bid, reach), decimals)}</span>
        <span>
          0 – {amount(most)} {coin}
        </span>
        <span>{amount(addDecimals(ask, reach), decimals)}</span>
      </p>
    </div>
  );
}
