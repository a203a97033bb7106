import { type Decoded, id, optionalDecimal, optionalText, optionalTime, optionalToken } from "./codec.js";
import { endpoint, PRIVATE_HISTORY, perSecond } from "./endpoint.js";
import { optionalFeeTotal } from "./fee.js";
import { FINANCIAL_RECORD_KINDS, RECORD_WORDS } from "./financialRecordKinds.js";
import { classicPage, listPagedBy, page } from "./page.js";
import {
  between,
  classicPaging,
  coinName,
  exactlyOneOf,
  maybe,
  oneOf,
  required,
  symbolName,
  textRule,
  timestamp,
  unifiedPaging,
} from "./parameter.js";
import { FUTURES_ORDERS_READ, MARGIN_READ, SPOT_READ, UNIFIED_MANAGEMENT_READ } from "./permissions.js";
import { record } from "./record.js";
import { productType } from "./trading.js";
import { PRODUCT_CATEGORIES } from "./vocabulary.js";

/**
 * Changes of balances: financial records of the unified account and its funding account, bills of the Classic spot, futures and
 * margin accounts. The balance of a coin is the sum of amounts, less fees, of its records.
 */

/** Categories of a unified account's records; `OTHER` has what belongs to no product, such as transfers. */
export const FINANCIAL_RECORD_CATEGORIES = [...PRODUCT_CATEGORIES, "OTHER"] as const;

const kind = (doc: string, ...keys: readonly string[]) => optionalToken(doc, FINANCIAL_RECORD_KINDS, RECORD_WORDS, ...keys);

/** A record of any of the lists. A key that a list does not have is null. */
export const financialRecord = record({
  recordId: id("The exchange's identifier of the record (`id`, `billId`, `marginId`)", "id", "billId", "marginId"),
  category: optionalToken("Product category, in lists of unified accounts", FINANCIAL_RECORD_CATEGORIES),
  symbol: optionalText("Symbol of the trade, funding or liquidation; null where there is none"),
  coin: optionalText("Coin, for example `USDT`"),
  // A spot bill and a record of the funding account have a group, which is the better known word.
  kind: kind("Why the balance changed", "groupType", "type", "businessType", "marginType"),
  type: optionalText("The exchange's own word for it, for example `OPEN_LONG`", "type", "businessType", "marginType"),
  amount: optionalDecimal("Change of the balance without the fee, in the coin: negative where coins left", "amount", "size"),
  fee: optionalFeeTotal("Trading fee, in the coin, positive where it was paid (`fee`, `fees`)", "negative", "fee", "fees"),
  feeByCoupon: optionalFeeTotal("Part of the fee that a coupon paid, in the coin; Classic futures only", "negative"),
  balance: optionalDecimal("Balance of the coin afterwards"),
  createdTime: optionalTime("When the balance changed", "ts", "cTime"),
});
export type FinancialRecord = Decoded<typeof financialRecord>;

const { category: _, ...classicFields } = financialRecord.fields;
/** The category of a Classic record follows from the call. */
const classicRecord = record(classicFields);
export type ClassicFinancialRecord = Decoded<typeof classicRecord>;

const coin = maybe("Coin", coinName());
const type = (doc: string) => maybe(doc, textRule({ max: 64 }));

const UNIFIED = {
  permissions: UNIFIED_MANAGEMENT_READ,
  cache: PRIVATE_HISTORY,
  window: { from: "startTime", to: "endTime", range: { days: 30 }, age: { days: 90 } },
  data: page(financialRecord),
} as const;
const unified = { coin, type: type("The exchange's word for the cause"), ...between, ...unifiedPaging(100, 100) };

export const financialRecords = endpoint({
  ...UNIFIED,
  name: "financialRecords",
  doc: "Changes of the balances of a unified account in one category",
  path: "/api/v3/account/financial-records",
  rate: perSecond(20, "UID"),
  parameters: { category: required("Product category", oneOf(FINANCIAL_RECORD_CATEGORIES)), ...unified },
});

export const fundingFinancialRecords = endpoint({
  ...UNIFIED,
  name: "fundingFinancialRecords",
  doc: "Changes of the balances of the funding account of a unified account",
  path: "/api/v3/account/funding-financial-records",
  // No source names the limit.
  rate: perSecond(5, "UID"),
  parameters: unified,
});

const BILL_GROUPS = [
  "deposit",
  "withdraw",
  "transaction",
  "transfer",
  "loan",
  "financial",
  "fait",
  "convert",
  "c2c",
  "pre_c2c",
  "on_chain",
  "strategy",
  "other",
] as const;

export const classicSpotBills = endpoint({
  name: "classicSpotBills",
  doc: "Changes of the balances of a Classic spot account",
  path: "/api/v2/spot/account/bills",
  permissions: SPOT_READ,
  rate: perSecond(10, "UID"),
  cache: PRIVATE_HISTORY,
  parameters: {
    coin,
    groupType: maybe("Group of causes", oneOf(BILL_GROUPS)),
    businessType: type("The exchange's word for the cause"),
    ...between,
    ...classicPaging(100, 500),
  },
  window: { from: "startTime", to: "endTime", range: { days: 90 }, age: { days: 90 } },
  data: listPagedBy(classicRecord, ({ recordId }) => recordId),
});

export const classicFuturesBills = endpoint({
  name: "classicFuturesBills",
  doc: "Changes of the balances of a Classic futures account",
  path: "/api/v2/mix/account/bill",
  permissions: FUTURES_ORDERS_READ,
  rate: perSecond(10, "UID"),
  cache: PRIVATE_HISTORY,
  parameters: {
    productType,
    coin,
    businessType: type("The exchange's word for the cause; funding is `contract_settle_fee`"),
    onlyFunding: maybe("Leaves out moves of margin within the account", exactlyOneOf(["yes", "no"])),
    ...between,
    ...classicPaging(20, 100),
  },
  window: { from: "startTime", to: "endTime", range: { days: 30 }, age: { days: 90 } },
  data: classicPage(classicRecord, "bills"),
});

const marginPages = {
  startTime: required("From here on", timestamp()),
  endTime: maybe("Up to here", timestamp()),
  marginType: type("The exchange's word for the cause"),
  coin,
  ...classicPaging(100, 500),
};
const MARGIN = {
  permissions: MARGIN_READ,
  rate: perSecond(10, "UID"),
  cache: PRIVATE_HISTORY,
  window: { from: "startTime", to: "endTime", range: { days: 90 }, age: { days: 90 } },
  data: classicPage(classicRecord, "resultList", "minId"),
} as const;

export const classicCrossedMarginRecords = endpoint({
  ...MARGIN,
  name: "classicCrossedMarginRecords",
  doc: "Changes of the balances of a Classic cross margin account",
  path: "/api/v2/margin/crossed/financial-records",
  parameters: marginPages,
});

export const classicIsolatedMarginRecords = endpoint({
  ...MARGIN,
  name: "classicIsolatedMarginRecords",
  doc: "Changes of the balances of a Classic isolated margin account, of one pair",
  path: "/api/v2/margin/isolated/financial-records",
  parameters: { symbol: required("Trading pair", symbolName()), ...marginPages },
});
