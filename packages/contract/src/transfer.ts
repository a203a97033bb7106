import { type Decoded, id, optionalDecimal, optionalText, optionalTime, optionalToken } from "./codec.js";
import { endpoint, PRIVATE_HISTORY, perSecond } from "./endpoint.js";
import { listOf } from "./lists.js";
import { listPagedBy, page } from "./page.js";
import {
  between,
  classicPaging,
  coinName,
  maybe,
  oneOf,
  pageSize,
  required,
  textRule,
  unifiedPaging,
  whole,
} from "./parameter.js";
import { UNIFIED_MANAGEMENT_READ, WALLET_READ } from "./permissions.js";
import { record } from "./record.js";

/** Transfers between the wallets of one user, and between a master account and its sub-accounts. */

/** Wallets that coins can be transferred between. */
export const TRANSFER_WALLETS = [
  "spot",
  "p2p",
  "coin_futures",
  "usdt_futures",
  "usdc_futures",
  "crossed_margin",
  "isolated_margin",
  "uta",
] as const;
export type TransferWallet = (typeof TRANSFER_WALLETS)[number];
/** Lists of a unified master have two words for its wallet; the funding account has the name of its trading desk, too. */
const WALLET_WIRE_NAMES = { unified: "uta", funding: "p2p", otc: "p2p", mix: "usdt_futures" } as const;

export const TRANSFER_STATUSES = ["successful", "failed", "processing"] as const;
export const TRANSFER_ROLES = ["initiator", "receiver"] as const;

const wallet = (doc: string, key: string) => optionalToken(doc, TRANSFER_WALLETS, WALLET_WIRE_NAMES, key);

/** A transfer of any of the lists. Fields that a list does not have are null. */
export const transfer = record({
  transferId: id("The exchange's identifier of the transfer"),
  clientOid: optionalText("The client's own identifier"),
  coin: optionalText("Coin, for example `USDT`"),
  amount: optionalDecimal("Amount, in the coin (also spelt `size`)", "amount", "size"),
  fromWallet: wallet("Wallet that it left (`fromType`)", "fromType"),
  fromSymbol: optionalText("Pair of the isolated margin account that it left"),
  toWallet: wallet("Wallet that it reached (`toType`)", "toType"),
  toSymbol: optionalText("Pair of the isolated margin account that it reached"),
  fromUserId: optionalText("User identifier of the sender; null for a transfer within one account"),
  toUserId: optionalText("User identifier of the receiver; null for a transfer within one account"),
  status: optionalToken("State of the transfer", TRANSFER_STATUSES),
  createdTime: optionalTime("When it was requested (also spelt `ts`)", "createdTime", "ts"),
  updatedTime: optionalTime("Last update; null for a Classic account"),
});
export type Transfer = Decoded<typeof transfer>;

export const classicTransfers = endpoint({
  name: "classicTransfers",
  doc: "Transfers of a coin between the wallets of a Classic account",
  path: "/api/v2/spot/account/transferRecords",
  permissions: WALLET_READ,
  rate: perSecond(20, "UID"),
  cache: PRIVATE_HISTORY,
  parameters: {
    coin: required("Coin", coinName()),
    fromType: maybe("Wallet that they left", oneOf(TRANSFER_WALLETS)),
    ...between,
    clientOid: maybe("The client's own identifier", textRule({ max: 64 })),
    pageNum: maybe("Page, from 1", whole({ min: 1, max: 1_000, fallback: 1 })),
    limit: maybe("Page size", pageSize(100, 500)),
  },
  window: { from: "startTime", to: "endTime", range: { days: 90 } },
  data: listOf(transfer),
});

const subFilters = {
  coin: maybe("Coin", coinName()),
  role: maybe("Whether the user sent or received them", oneOf(TRANSFER_ROLES, { fallback: "initiator" })),
  subUid: maybe("User identifier of a sub-account. Default: transfers from the master account", textRule({ max: 40 })),
  ...between,
  clientOid: maybe("The client's own identifier", textRule({ max: 64 })),
};
const HISTORY = { cache: PRIVATE_HISTORY, window: { from: "startTime", to: "endTime", range: { days: 90 } } } as const;

export const classicSubTransfers = endpoint({
  ...HISTORY,
  name: "classicSubTransfers",
  doc: "Transfers between a Classic master account and its sub-accounts",
  path: "/api/v2/spot/account/sub-main-trans-record",
  permissions: WALLET_READ,
  rate: perSecond(20, "UID"),
  parameters: { ...subFilters, ...classicPaging(100, 100) },
  data: listPagedBy(transfer, ({ transferId }) => transferId),
});

export const subTransfers = endpoint({
  ...HISTORY,
  name: "subTransfers",
  doc: "Transfers between a unified master account and its sub-accounts",
  path: "/api/v3/account/sub-transfer-record",
  permissions: UNIFIED_MANAGEMENT_READ,
  rate: perSecond(5, "UID"),
  parameters: { ...subFilters, ...unifiedPaging(100, 100) },
  data: page(transfer, "items"),
});
