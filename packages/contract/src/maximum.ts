import { type Decoded, optionalDecimal, text } from "./codec.js";
import { endpoint, PRIVATE_STATE, perSecond } from "./endpoint.js";
import { coinName, required } from "./parameter.js";
import { MARGIN_READ, UNIFIED_MANAGEMENT_READ } from "./permissions.js";
import { record } from "./record.js";

/** How much of a coin can leave a wallet now: all of it except what backs positions, orders and debts. */

const parameters = { coin: required("Coin", coinName()) };
const UNIFIED = { permissions: UNIFIED_MANAGEMENT_READ, rate: perSecond(3, "UID"), cache: PRIVATE_STATE, parameters } as const;

export const maxTransfer = record({
  coin: text("Coin, for example `USDT`"),
  amount: optionalDecimal("Most that can be transferred out, in the coin", "maxTransfer", "maxTransferOutAmount"),
  amountWithBorrowing: optionalDecimal(
    "Most that can be transferred out if the account borrows for it, in the coin; null where it cannot (`borrowMaxTransfer`)",
    "borrowMaxTransfer",
  ),
});
export type MaxTransfer = Decoded<typeof maxTransfer>;

export const maxTransferable = endpoint({
  ...UNIFIED,
  name: "maxTransferable",
  doc: "Most of a coin that can be transferred out of a unified account",
  path: "/api/v3/account/max-transferable",
  data: maxTransfer,
});

export const classicMarginMaxTransfer = endpoint({
  name: "classicMarginMaxTransfer",
  doc: "Most of a coin that can be transferred out of a Classic cross margin account",
  path: "/api/v2/margin/crossed/account/max-transfer-out-amount",
  permissions: MARGIN_READ,
  rate: perSecond(10, "UID"),
  cache: PRIVATE_STATE,
  parameters,
  data: maxTransfer,
});

export const maxWithdrawalRecord = record({
  coin: text("Coin, for example `USDT`"),
  total: optionalDecimal("Most that can be withdrawn, in the coin (`totalMaxWithdrawal`)", "totalMaxWithdrawal"),
  fromUnified: optionalDecimal("Of it from the unified account (`utaMaxWithdrawal`)", "utaMaxWithdrawal"),
  fromFunding: optionalDecimal("Of it from the funding account (`spotMaxWithdrawal`)", "spotMaxWithdrawal"),
  fromOtc: optionalDecimal("Of it from the OTC account (`otcMaxWithdrawal`)", "otcMaxWithdrawal"),
});

/** No source names the limit; it is that of the call above. */
export const maxWithdrawal = endpoint({
  ...UNIFIED,
  name: "maxWithdrawal",
  doc: "Most of a coin that can be withdrawn from a unified account; the exchange checks it again on withdrawal",
  path: "/api/v3/account/max-withdrawal",
  data: maxWithdrawalRecord,
});
