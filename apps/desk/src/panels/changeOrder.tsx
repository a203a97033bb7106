import { compareDecimals, isDecimal } from "@exchange-graph/client";
import { Suspense, useState } from "react";
import { amount } from "../format/format.js";
import { ModifyOrder } from "../graph/mutations.js";
import { submit } from "../graph/writes.js";
import { type Order, useOpenOrder } from "../live/orders.js";
import { t } from "../text/text.js";
import { Field } from "../ui/controls.js";
import { errorAt } from "../ui/errors.js";
import { lazily } from "../ui/parts.js";
import { WriteForm } from "../ui/writeForm.js";
import { categoryOf } from "./market.js";

const EndedOrder = lazily(
  () => import("./endedOrder.js"),
  ({ EndedOrder }) => EndedOrder,
);
const ENDED = t("This order is no longer open. Nothing is left to change.");

interface Props {
  readonly account: string;
  readonly order: Order;
  readonly onClose: () => void;
}

/** Changes the price and the quantity of an open order. It shows how the order changes meanwhile. */
export function ChangeOrder({ account, order, onClose }: Props) {
  const { id, symbol, orderId } = order;
  const current = useOpenOrder(account, id);
  const [price, setPrice] = useState(order.price ?? "");
  const [qty, setQty] = useState(order.qty ?? "");
  const filled = current?.cumExecQty;
  const category = categoryOf(order.category);
  if (category === undefined) return null;
  return (
    <WriteForm
      title={t("Change order in {symbol}", { symbol })}
      verb={t("Change order")}
      isReady={isDecimal(price) && isDecimal(qty) && !(filled && compareDecimals(qty, filled) <= 0)}
      ended={
        current === null ? (
          <Suspense fallback={ENDED}>
            <EndedOrder account={account} order={order} />
          </Suspense>
        ) : undefined
      }
      fields={["price", "qty"]}
      onClose={onClose}
      send={() =>
        submit(t("Change {symbol} to {qty} @ {price}", { symbol, qty, price }), ModifyOrder, {
          account,
          category,
          symbol,
          by: { orderId },
          price,
          qty,
        })
      }
    >
      {(errors) => (
        <>
          <Field
            label={t("Price")}
            value={price}
            onChange={setPrice}
            error={errorAt(errors, "price")}
            hint={current && current.price !== order.price ? t("Now {value}", { value: amount(current.price) }) : undefined}
            isDecimal
          />
          <Field
            label={t("Quantity")}
            value={qty}
            onChange={setQty}
            error={errorAt(errors, "qty")}
            hint={current ? qtyHint(order, current) : undefined}
            isDecimal
          />
        </>
      )}
    </WriteForm>
  );
}

/** The quantity if others have changed it, and how much of it is filled. */
function qtyHint(before: Order, { qty, cumExecQty }: Order): string | undefined {
  const isPartly = cumExecQty !== null && compareDecimals(cumExecQty, "0") > 0;
  if (isPartly) return t("{filled} of {qty} are filled", { filled: amount(cumExecQty), qty: amount(qty) });
  return qty === before.qty ? undefined : t("Now {value}", { value: amount(qty) });
}
