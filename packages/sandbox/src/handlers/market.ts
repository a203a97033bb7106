import type { Clock } from "@exchange-graph/contract/clock";
import { plain } from "@exchange-graph/contract/decimal";
import { type FUND_FLOW_PERIODS, serverTime, spotFundFlow } from "@exchange-graph/contract/market";
import { type Flow, fundFlow, INVESTORS } from "../world/fundFlow.js";
import type { Markets } from "../world/market/markets.js";
import { filledIn, type Handler, open } from "./handler.js";
import { listed } from "./symbols.js";

/** Default market of a call without a symbol. */
const MAIN_SYMBOL = "BTCUSDT";

const MINUTES = { "15m": 15, "30m": 30, "1h": 60, "2h": 120, "4h": 240, "1d": 1_440 } as const satisfies Readonly<
  Record<(typeof FUND_FLOW_PERIODS)[number], number>
>;

/** The exchange's clock, and flows of money. */
export const marketHandlers = (markets: Markets, clock: Clock): readonly Handler[] => [
  open(serverTime, () => ({ serverTime: String(clock.now()) })),

  open(spotFundFlow, ({ values: { symbol = MAIN_SYMBOL, period } }) => {
    const { bought, sold } = fundFlow(listed(markets, "SPOT", symbol), MINUTES[filledIn(period)], clock.now());
    return { ...flow(bought, "Buy"), ...flow(sold, "Sell") };
  }),
];

/** A side under the keys of each class: `whaleBuyVolume`, `whaleBuyRatio` and so on. */
const flow = (classes: Flow, side: "Buy" | "Sell"): object =>
  Object.fromEntries(
    INVESTORS.flatMap((investor) => [
      [`${investor}${side}Volume`, plain(classes[investor].volume)],
      [`${investor}${side}Ratio`, plain(classes[investor].ratio)],
    ]),
  );
