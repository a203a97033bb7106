import { optionalText, record, text } from "./codec.js";
import { endpoint, PRIVATE_HISTORY, perSecond } from "./endpoint.js";
import { page } from "./page.js";
import { amount, maybe, oneOf, pageSize, required, timestamp, words } from "./parameter.js";
import { WITHDRAWAL_DESTINATIONS, withdrawal } from "./wallet.js";

/** Withdrawals that an ND broker's main account makes for its sub-accounts. */

export const SUB_ACCOUNT_WITHDRAWAL_COINS = ["BTC", "ETH", "USDT", "USDC", "TRX", "XRP", "LTC", "SOL"] as const;
const ALSO_WITHDRAWN = "BNB FTM DOGE ADA SHIB UNI SEI SUI POL FIL LINK TON ARB OP DOT AVAX".split(" ");

export const withdrawalAcknowledgement = record({
  orderId: text("Withdrawal order identifier"),
  clientOid: optionalText("The caller's identifier, echoed"),
});

export const subAccountWithdrawal = endpoint({
  name: "subAccountWithdrawal",
  doc: "Withdraws from a sub-account, to a chain or to another user; for the broker's main account",
  method: "POST",
  path: "/api/v2/broker/account/subaccount-withdrawal",
  generation: "v2",
  access: "private",
  serves: "BOTH",
  permissions: ["wwow"],
  audience: "nd-broker",
  rate: perSecond(1, "UID"),
  parameters: {
    subUid: required("User identifier of the sub-account", words()),
    coin: required("Coin", oneOf(SUB_ACCOUNT_WITHDRAWAL_COINS, { alsoServed: ALSO_WITHDRAWN })),
    dest: required("To a chain, or to another user of the exchange", oneOf(WITHDRAWAL_DESTINATIONS)),
    chain: maybe("Chain; the coin's main chain if left out", words({ max: 40 })),
    address: required("Chain address, or the receiver's user identifier for an internal transfer", words()),
    amount: required("Amount", amount()),
    tag: maybe("Memo or comment that goes with the address", words()),
    clientOid: maybe("The caller's identifier", words({ max: 64 })),
  },
  rules: [
    {
      says: "must be a user ID (digits) when dest is internal_transfer",
      broken: ({ dest, address }) => (dest === "internal_transfer" && !/^\d{1,20}$/.test(address) ? "address" : undefined),
    },
  ],
  data: withdrawalAcknowledgement,
});

export const subAccountWithdrawals = endpoint({
  name: "subAccountWithdrawals",
  doc: "Withdrawals of the broker's sub-accounts",
  method: "GET",
  path: "/api/v2/broker/subaccount-withdrawal",
  generation: "v2",
  access: "private",
  serves: "BOTH",
  permissions: ["chor", "chow", "wwow"],
  audience: "nd-broker",
  rate: perSecond(10, "UID"),
  cache: PRIVATE_HISTORY,
  parameters: {
    orderId: maybe("Withdrawal order identifier", words()),
    userId: maybe("User identifier of the sub-account", words()),
    startTime: maybe("From here on", timestamp()),
    endTime: maybe("Up to here", timestamp()),
    limit: maybe("Page size", pageSize(20, 100)),
    idLessThan: maybe("The cursor of the page before", words()),
  },
  window: { from: "startTime", to: "endTime", range: { months: 3 } },
  data: page(withdrawal, { list: "resultList", cursor: "endId" }),
});
