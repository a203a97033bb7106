import { decimal, type Decoded, list, optionalDecimal, optionalText, optionalTime, record, text, time, token } from "./codec.js";
import { endpoint, PRIVATE_HISTORY, PRIVATE_STATE, perSecond } from "./endpoint.js";
import { coinName, maybe, oneOf, pageSize, required, timestamp, words } from "./parameter.js";

/** Shark-fin: products that pay interest by where a price ends. */

export const SHARK_FIN_STATUSES = ["running", "pause", "wait_interest", "wait_settle", "settle", "redeem", "sell_out"] as const;
export const SHARK_FIN_TRENDS = ["up", "down"] as const;
export const SHARK_FIN_FILTERS = ["subscribed", "settled"] as const;
export const SHARK_FIN_RECORD_TYPES = ["subscription", "redemption", "interest"] as const;

/** Earn products have no permission of their own. They move funds between the spot account and a product: transfers. */
const READ_PERMISSIONS = ["wtor", "wtow"];

export const sharkFinProduct = record({
  productId: text("Product identifier"),
  interestStartTime: optionalTime("When interest begins to accrue"),
  interestEndTime: optionalTime("When interest stops accruing"),
  productCoin: text("Coin whose price decides the interest"),
  subscribeCoin: text("Coin paid in"),
  trend: token("The direction that pays more", SHARK_FIN_TRENDS),
  settleTime: optionalTime("Settlement"),
  interestAmount: optionalDecimal("Interest, in the subscription coin; null until it is known"),
  productStatus: token("State of the product", SHARK_FIN_STATUSES),
});
export type SharkFinProduct = Decoded<typeof sharkFinProduct>;

export const sharkFinRecord = record({
  orderId: text("Record identifier"),
  product: text("Product name"),
  period: text("Investment period"),
  amount: decimal("Amount, in the subscription coin"),
  createdTime: time("Creation", "ts"),
  type: token("What happened", SHARK_FIN_RECORD_TYPES),
});
export type SharkFinRecord = Decoded<typeof sharkFinRecord>;

const END_ID = "Leads to older rows: goes back as `idLessThan`";

export const sharkFinProductPage = record({
  resultList: list("Products", sharkFinProduct),
  endId: optionalText(END_ID),
});

export const sharkFinRecordPage = record({
  resultList: list("Records, newest first", sharkFinRecord),
  endId: optionalText(END_ID),
});

const pages = {
  startTime: maybe("From here on; three months ago if left out", timestamp()),
  endTime: maybe("Up to here; now if left out", timestamp()),
  limit: maybe("Page size", pageSize(20, 100)),
  idLessThan: maybe("The `endId` of the page before", words()),
};

export const sharkFinAssets = endpoint({
  name: "sharkFinAssets",
  doc: "Shark-fin products that the account holds or held",
  method: "GET",
  path: "/api/v2/earn/sharkfin/assets",
  generation: "v2",
  access: "private",
  serves: "BOTH",
  permissions: READ_PERMISSIONS,
  rate: perSecond(10, "UID"),
  cache: PRIVATE_STATE,
  parameters: {
    status: required("Held now, or settled", oneOf(SHARK_FIN_FILTERS, { fallback: "subscribed" })),
    ...pages,
  },
  window: { from: "startTime", to: "endTime", range: { months: 3 } },
  data: sharkFinProductPage,
});

export const sharkFinRecords = endpoint({
  name: "sharkFinRecords",
  doc: "What was paid into and out of shark-fin products",
  method: "GET",
  path: "/api/v2/earn/sharkfin/records",
  generation: "v2",
  access: "private",
  serves: "BOTH",
  permissions: READ_PERMISSIONS,
  rate: perSecond(10, "UID"),
  cache: PRIVATE_HISTORY,
  parameters: {
    coin: maybe("Subscription coin", coinName()),
    type: required("What happened", oneOf(SHARK_FIN_RECORD_TYPES)),
    ...pages,
  },
  window: { from: "startTime", to: "endTime", range: { months: 3 } },
  data: sharkFinRecordPage,
});
