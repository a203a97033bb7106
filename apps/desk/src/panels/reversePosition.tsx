import { multiplyDecimals, trimDecimal } from "@exchange-graph/client";
import { amount, words } from "../format/format.js";
import { PlaceOrder } from "../graph/mutations.js";
import { submit } from "../graph/writes.js";
import { t } from "../text/text.js";
import { WriteForm } from "../ui/writeForm.js";
import { CLOSED } from "./closed.js";
import type { AboutPosition } from "./closePosition.js";
import { futuresOf } from "./market.js";

/** In one-way mode one order of twice the quantity closes a position and opens the opposite one. */
export function ReversePosition({ account, position, isClosed, onClose }: AboutPosition) {
  const { symbol, posSide, qty } = position;
  const category = futuresOf(position.category);
  if (category === undefined || posSide === "UNRECOGNIZED" || qty === null) return null;
  const twice = trimDecimal(multiplyDecimals(qty, "2"));
  const [side, opposite] = posSide === "LONG" ? (["SELL", "short"] as const) : (["BUY", "long"] as const);
  return (
    <WriteForm
      title={t("Reverse {symbol} {value}?", { symbol, value: words(posSide).toLowerCase() })}
      verb={t("{side} {twice} at market", { side: words(side), twice: amount(twice) })}
      isReady
      isDangerous
      fields={[]}
      ended={isClosed ? CLOSED : undefined}
      onClose={onClose}
      send={() =>
        submit(t("Reverse {symbol} to {opposite}", { symbol, opposite }), PlaceOrder, {
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
          {amount(qty)} {t("are closed, and")} {amount(qty)} {opposite}{" "}
          {t("are opened, at the market's price. Take-profits and stop-losses of the position end with it.")}
        </p>
      )}
    </WriteForm>
  );
}
