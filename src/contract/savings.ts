import { type Decoded, optionalText, record, text } from "./codec.js";
import { endpoint, perSecond } from "./endpoint.js";
import { amount, maybe, oneOf, required, words } from "./parameter.js";

/** Savings: coins lent to the exchange, for a fixed term or until taken back. */

export const SAVINGS_PERIOD_TYPES = ["flexible", "fixed"] as const;

/** Between two redemptions more than this must pass. */
export const REDEEM_INTERVAL_MS = 60_000;

/** Earn products have no permission of their own. They move funds between the spot account and a product: transfers. */
const WRITE_PERMISSIONS = ["wtow"];

export const redemption = record({
  orderId: text("Redemption order identifier"),
  // Not a closed set, and in places not even a state: an amount was seen here.
  status: optionalText("What the exchange says about the order, in its own words"),
});
export type Redemption = Decoded<typeof redemption>;

export const savingsRedeem = endpoint({
  name: "savingsRedeem",
  doc: "Takes coins out of a savings product",
  method: "POST",
  path: "/api/v2/earn/savings/redeem",
  generation: "v2",
  access: "private",
  serves: "BOTH",
  permissions: WRITE_PERMISSIONS,
  rate: perSecond(10, "UID"),
  parameters: {
    productId: required("Product identifier", words()),
    orderId: maybe("Order identifier of the holding, where the list of holdings names one", words()),
    periodType: required("Kind of term", oneOf(SAVINGS_PERIOD_TYPES)),
    amount: required("Amount to take out", amount()),
  },
  data: redemption,
});
