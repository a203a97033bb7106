import { isDecimal } from "@exchange-graph/client";
import { useState } from "react";
import { ModifyOrder } from "../graph/mutations.js";
import { submit } from "../graph/writes.js";
import type { Order } from "../live/orders.js";
import { t } from "../text/text.js";
import { Field } from "../ui/controls.js";
import { errorAt } from "../ui/errors.js";
import { WriteForm } from "../ui/writeForm.js";
import { categoryOf } from "./market.js";

interface Props {
  readonly account: string;
  readonly order: Order;
  readonly onClose: () => void;
}

/** Changes the price and the quantity of an open order. */
export function ChangeOrder({ account, order: { symbol, orderId, ...order }, onClose }: Props) {
  const [price, setPrice] = useState(order.price ?? "");
  const [qty, setQty] = useState(order.qty ?? "");
  const category = categoryOf(order.category);
  if (category === undefined) return null;
  return (
    <WriteForm
      title={t("Change order in {symbol}", { symbol })}
      verb={t("Change order")}
      isReady={isDecimal(price) && isDecimal(qty)}
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
          <Field label={t("Price")} value={price} onChange={setPrice} error={errorAt(errors, "price")} isDecimal />
          <Field label={t("Quantity")} value={qty} onChange={setQty} error={errorAt(errors, "qty")} isDecimal />
        </>
      )}
    </WriteForm>
  );
}
