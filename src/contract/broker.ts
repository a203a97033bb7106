import {
  type Codec,
  decimal,
  type Decoded,
  integer,
  list,
  nothing,
  optionalText,
  optionalTime,
  record,
  text,
} from "./codec.js";
import { endpoint, PRIVATE_STATE, perSecond } from "./endpoint.js";
import { amount, coinName, maybe, oneOf, required, words } from "./parameter.js";

/** What an ND broker does with its sub-accounts. Their permission is the one for sub-accounts, or that for withdrawals. */

export const SUB_ACCOUNT_ASSET_TYPES = ["hold_only", "all"] as const;
export const WITHDRAWAL_DESTINATIONS = ["on_chain", "internal_transfer"] as const;
export const SUB_ACCOUNT_WITHDRAWAL_COINS = ["BTC", "ETH", "USDT", "USDC", "TRX", "XRP", "LTC", "SOL"] as const;
const ALSO_WITHDRAWN = "BNB FTM DOGE ADA SHIB UNI SEI SUI POL FIL LINK TON ARB OP DOT AVAX".split(" ");

const READ_PERMISSIONS = ["chor", "chow"];
const WRITE_PERMISSIONS = ["chow"];
const WITHDRAWAL_PERMISSIONS = ["wwow"];

const subUid = required("User identifier of the sub-account", words());

export const brokerRecord = record({
  subAccountSize: integer("How many sub-accounts the broker has created"),
  maxSubAccountSize: integer("How many sub-accounts the broker may create"),
  updatedTime: optionalTime("Last update", "uTime", "utime"),
});
export type BrokerRecord = Decoded<typeof brokerRecord>;

export const subAccountSpotAsset = record({
  coin: text("Coin"),
  available: decimal("Free to use"),
  frozen: decimal("Held back for open orders"),
  locked: decimal("Locked for other reasons, for example what a fiat merchant has to leave"),
  updatedTime: optionalTime("Last update", "uTime"),
});
export type SubAccountSpotAsset = Decoded<typeof subAccountSpotAsset>;

export const subAccountEmail = record({
  subUid: text("User identifier of the sub-account"),
  subaccountName: optionalText("User name, in e-mail form with the sub-account's name in front"),
  subaccountEmail: optionalText("E-mail address"),
  createdTime: optionalTime("Creation", "ctime", "cTime"),
  updatedTime: optionalTime("Last update", "utime", "uTime"),
});
export type SubAccountEmail = Decoded<typeof subAccountEmail>;

/** A changed e-mail address is answered by the text `success` or by the sub-account's record. */
const changedEmail: Codec<SubAccountEmail | null> = {
  fields: subAccountEmail.fields,
  decode: (wire) =>
    typeof wire === "object" && wire !== null && "subUid" in wire ? subAccountEmail.decode(wire) : nothing.decode(wire),
};

export const brokerInfo = endpoint({
  name: "brokerInfo",
  doc: "How many sub-accounts the broker has and may have",
  method: "GET",
  path: "/api/v2/broker/account/info",
  generation: "v2",
  access: "private",
  serves: "BOTH",
  permissions: READ_PERMISSIONS,
  audience: "nd-broker",
  rate: perSecond(10, "UID"),
  cache: PRIVATE_STATE,
  parameters: {},
  data: brokerRecord,
});

export const subAccountSpotAssets = endpoint({
  name: "subAccountSpotAssets",
  doc: "Spot assets of one sub-account",
  method: "GET",
  path: "/api/v2/broker/account/subaccount-spot-assets",
  generation: "v2",
  access: "private",
  serves: "BOTH",
  permissions: READ_PERMISSIONS,
  audience: "nd-broker",
  rate: perSecond(10, "UID"),
  cache: PRIVATE_STATE,
  parameters: {
    subUid,
    coin: maybe("Coin; takes precedence over the asset type", coinName()),
    assetType: maybe("Coins held, or all coins", oneOf(SUB_ACCOUNT_ASSET_TYPES, { fallback: "hold_only" })),
  },
  data: record({ assetsList: list("Assets, per coin", subAccountSpotAsset) }),
});

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
  permissions: WITHDRAWAL_PERMISSIONS,
  audience: "nd-broker",
  rate: perSecond(1, "UID"),
  parameters: {
    subUid,
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

export const modifySubAccountEmail = endpoint({
  name: "modifySubAccountEmail",
  doc: "Changes the e-mail address of a sub-account",
  method: "POST",
  path: "/api/v2/broker/account/modify-subaccount-email",
  generation: "v2",
  access: "private",
  serves: "BOTH",
  permissions: WRITE_PERMISSIONS,
  audience: "nd-broker",
  rate: perSecond(10, "UID"),
  parameters: {
    subUid,
    subaccountEmail: required(
      "New e-mail address",
      words({ max: 254, pattern: /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/, allowed: "an e-mail address" }),
    ),
  },
  data: changedEmail,
});
