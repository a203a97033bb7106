import { amount } from "../format/format.js";
import { graphql } from "../graph/document.js";
import { useRead } from "../graph/useRead.js";
import type { Order } from "../live/orders.js";
import { t } from "../text/text.js";
import { categoryOf } from "./market.js";

const OrderEnd = graphql(`
  query OrderEnd($account: String, $orderId: String!, $category: ProductCategoryInput, $symbol: String) {
    account(name: $account) {
      order(by: { orderId: $orderId }, category: $category, symbol: $symbol) {
        id
        status
        qty
        cumExecQty
        avgPrice
      }
    }
  }
`);

interface Props {
  readonly account: string;
  readonly order: Pick<Order, "orderId" | "category" | "symbol">;
}

/** What has become of an order that is no longer open. */
export function EndedOrder({ account, order: { orderId, category, symbol } }: Props) {
  const { data } = useRead(OrderEnd, { account, orderId, category: categoryOf(category), symbol });
  const found = data?.account?.order;
  const figures = {
    qty: amount(found?.qty),
    filled: amount(found?.cumExecQty),
    price: amount(found?.avgPrice),
  };
  switch (found?.status) {
    case "FILLED":
      return t("This order was filled meanwhile: {filled} at {price}. Nothing is left to change.", figures);
    case "CANCELLED":
      return t("This order was cancelled meanwhile, with {filled} of {qty} filled. Nothing is left to change.", figures);
    default:
      return t("This order is no longer open. Nothing is left to change.");
  }
}
