import { multiplyDecimals, trimDecimal } from "@exchange-graph/client";
import { amount, words } from "../format/format.js";
import { PlaceOrder } from "../graph/mutations.js";
import { submit } from "../graph/writes.js";
import { WriteForm } from "../ui/writeForm.js";
import type { AboutPosition } from "./closePosition.js";
import { futuresOf } from "./market.js";

/** In one-way mode one order of twice the quantity closes a position and opens the opposite one. */
export function ReversePosition({ account, position, onClose }: AboutPosition) {
  const { symbol, posSide, qty } = position;
  const category = futuresOf(position.category);
  if (category === undefined || posSide === "UNKNOWN" || qty === null) return null;
  const twice = trimDecimal(multiplyDecimals(qty, "2"));
  const [side, opposite] = posSide === "LONG" ? (["SELL", "short"] as const) : (["BUY", "long"] as const);
  return (
    <WriteForm
      title={`Reverse ${symbol} ${words(posSide).toLowerCase()}?`}
      verb={`${words(side)} ${amount(twice)} at market`}
      isReady
      isDangerous
      fields={[]}
      onClose={onClose}
      send={() =>
        submit(`Reverse ${symbol} to ${opposite}`, PlaceOrder, {
          account,
          category,
          symbol,
          side,
          orderType: "MARKET",
          qty: twice,
        })
      }
    >
      {() => (
        <p>
          {amount(qty)} are closed, and {amount(qty)} {opposite} are opened, at the market's price. Take-profits and stop-losses
          of the position end with it.
        </p>
      )}
    </WriteForm>
  );
}
