import { subtractDecimals } from "@exchange-graph/client";
import { t } from "../../text/text.js";
import type { Level } from "./level.js";

interface DepthProps {
  /** Best first, with cumulative quantities. */
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
  readonly label: string;
}

/** Size of the drawing in its own units. */
const [WIDTH, HEIGHT] = [400, 300];

/** Pixels are not money: values for drawing may be floats. */
const drawn = (text: string): number => Number(text);

/** Cumulative quantities by price: bids to the left of the middle, asks to the right, with the same scales. */
export function Depth({ bids, asks, label }: DepthProps) {
  const [bid, ask] = [bids[0]?.price, asks[0]?.price];
  const [lowest, highest] = [bids.at(-1)?.price, asks.at(-1)?.price];
  if (bid === undefined || ask === undefined || lowest === undefined || highest === undefined)
    return <p className="empty">{t("One side of the book is empty")}</p>;
  const reach = Math.max(drawn(subtractDecimals(bid, lowest)), drawn(subtractDecimals(highest, ask)), Number.EPSILON);
  const most = Math.max(drawn(bids.at(-1)?.total ?? "1"), drawn(asks.at(-1)?.total ?? "1"), Number.EPSILON);
  const area = (levels: readonly Level[], best: string, direction: 1 | -1) => {
    const x = (price: string) => WIDTH / 2 + direction * (Math.abs(drawn(price) - drawn(best)) / reach) * (WIDTH / 2);
    const y = (total: string) => HEIGHT - (drawn(total) / most) * (HEIGHT - 8);
    const steps = levels.map(({ price, total }) => `H${x(price).toFixed(1)}V${y(total).toFixed(1)}`);
    return `M${WIDTH / 2} ${HEIGHT}${steps.join("")}V${HEIGHT}Z`;
  };
  return (
    <svg className="depth" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
      <path className="bids" d={area(bids, bid, -1)} vectorEffect="non-scaling-stroke" />
      <path className="asks" d={area(asks, ask, 1)} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
