import {
  type Codec,
  type Decoded,
  id,
  mapped,
  nothing,
  optionalDecimal,
  optionalFlag,
  optionalInteger,
  optionalText,
  optionalTime,
  optionalToken,
} from "./codec.js";
import { endpoint, KEPT_MS, PRIVATE_HISTORY, perSecond, UNSTREAMED_STATE, writeEndpoint } from "./endpoint.js";
import { futuresBalanceFields } from "./futuresAccount.js";
import { list, optionalTexts } from "./lists.js";
import { classicPage, type Page } from "./page.js";
import { amount, between, classicPaging, coinName, maybe, oneOf, required, textRule, timestamp } from "./parameter.js";
import { BROKER_READ, BROKER_WRITE, WITHDRAW } from "./permissions.js";
import { record } from "./record.js";
import { FUTURES_PRODUCT_TYPES } from "./vocabulary.js";
import { WITHDRAWAL_DESTINATIONS, withdrawal } from "./wallet.js";

/** Operations of an ND broker on its sub-accounts. They require the permission for sub-accounts, or that for withdrawals. */

export const SUB_ACCOUNT_ASSET_TYPES = ["hold_only", "all"] as const;
export const SUB_ACCOUNT_STATUSES = ["normal", "freeze", "del"] as const;

const subUid = required("User identifier of the sub-account", textRule());

export const brokerRecord = record({
  subAccountCount: optionalInteger("How many sub-accounts the broker has created (`subAccountSize`)", "subAccountSize"),
  maxSubAccountCount: optionalInteger("How many sub-accounts the broker may create (`maxSubAccountSize`)", "maxSubAccountSize"),
  updatedTime: optionalTime("Last update; the exchange spells it `uTime` and `utime`", "uTime", "utime"),
});

export const subAccountSpotAsset = record({
  coin: id("Coin, for example `USDT`"),
  available: optionalDecimal("Free to use, in the coin"),
  frozen: optionalDecimal("Held back for open orders, in the coin"),
  locked: optionalDecimal("Locked for other reasons, for example what a fiat merchant has to leave, in the coin"),
  updatedTime: optionalTime("Last update (the exchange's `uTime`)", "uTime"),
});

const { bonus: _, ...balanceFields } = futuresBalanceFields;
export const brokerFuturesAsset = record({
  ...balanceFields,
  frozen: optionalDecimal("Held back for open orders, in margin coin"),
  equity: optionalDecimal("Equity, in margin coin (`accountEquity`)", "accountEquity"),
  updatedTime: optionalTime("Last update (the exchange's `uTime`)", "uTime"),
});

export const subAccount = record({
  subUid: id("User identifier of the sub-account"),
  name: optionalText("User name, in e-mail form with the sub-account's name in front (`subaccountName`)", "subaccountName"),
  status: optionalToken("State of the sub-account", SUB_ACCOUNT_STATUSES),
  permissions: optionalTexts("What the sub-account may do", "permList"),
  label: optionalText("The broker's label for it"),
  language: optionalText("Language, for example `en_US`"),
  createdTime: optionalTime("When it was created (the exchange's `cTime`)", "cTime"),
  updatedTime: optionalTime("Last update (the exchange's `uTime`)", "uTime"),
});
export type SubAccount = Decoded<typeof subAccount>;

/** A page of sub-accounts. The cursor comes with a flag here; after the last page it has no meaning. */
const subAccountPage: Codec<Page<SubAccount>> = mapped(
  record({
    hasNextPage: optionalFlag("Whether there are older rows"),
    cursor: optionalText("Leads to older rows", "idLessThan"),
    list: list("Sub-accounts", subAccount, "subList"),
  }),
  (found) => ({ list: found.list, cursor: found.hasNextPage === false ? null : found.cursor }),
);

export const subAccountContact = record({
  subUid: optionalText("User identifier of the sub-account"),
  name: optionalText("User name, in e-mail form with the sub-account's name in front (`subaccountName`)", "subaccountName"),
  email: optionalText("E-mail address of the sub-account (`subaccountEmail`)", "subaccountEmail"),
  createdTime: optionalTime("When it was created (also spelt `ctime` and `cTime`)", "ctime", "cTime"),
  updatedTime: optionalTime("Last update (also spelt `utime` and `uTime`)", "utime", "uTime"),
});
export type SubAccountContact = Decoded<typeof subAccountContact>;

/** A changed e-mail address is answered by the text `success` or by the sub-account's record. */
const changedEmail: Codec<SubAccountContact | null> = {
  fields: subAccountContact.fields,
  decode: (wire) =>
    typeof wire === "object" && wire !== null && "subUid" in wire ? subAccountContact.decode(wire) : nothing.decode(wire),
};

const OF_BROKER = { serves: "BOTH", audience: "nd-broker", rate: perSecond(10, "UID") } as const;
const READ = { ...OF_BROKER, permissions: BROKER_READ, cache: UNSTREAMED_STATE } as const;

export const brokerInfo = endpoint({
  ...READ,
  name: "brokerInfo",
  doc: "How many sub-accounts the broker has and may have",
  path: "/api/v2/broker/account/info",
  parameters: {},
  data: brokerRecord,
});

export const subAccountSpotAssets = endpoint({
  ...READ,
  name: "subAccountSpotAssets",
  doc: "Spot assets of one sub-account",
  path: "/api/v2/broker/account/subaccount-spot-assets",
  parameters: {
    subUid,
    coin: maybe("Coin; takes precedence over the asset type", coinName()),
    assetType: maybe("Coins held, or all coins", oneOf(SUB_ACCOUNT_ASSET_TYPES, { fallback: "hold_only" })),
  },
  data: record({ assetsList: list("Assets, per coin", subAccountSpotAsset) }),
});

export const brokerSubAccountFuturesAssets = endpoint({
  ...READ,
  name: "brokerSubAccountFuturesAssets",
  doc: "Futures assets of one sub-account",
  path: "/api/v2/broker/account/subaccount-future-assets",
  parameters: {
    subUid,
    productType: required("Product type", oneOf(FUTURES_PRODUCT_TYPES)),
  },
  data: record({ assetsList: list("Assets, per margin coin", brokerFuturesAsset) }),
});

export const subAccountList = endpoint({
  ...READ,
  name: "subAccountList",
  doc: "The broker's sub-accounts",
  path: "/api/v2/broker/account/subaccount-list",
  rate: perSecond(1, "UID"),
  // Longer than other state: the endpoint allows one call per second, and a list may take several pages.
  cache: { freshMs: 5_000, staleMs: 25_000, keptMs: KEPT_MS },
  parameters: {
    status: maybe("Usable, frozen or deleted", oneOf(SUB_ACCOUNT_STATUSES)),
    startTime: maybe("Created from here on", timestamp()),
    endTime: maybe("Created up to here", timestamp()),
    ...classicPaging(10, 100),
  },
  window: { from: "startTime", to: "endTime" },
  data: subAccountPage,
});

export const subAccountEmail = endpoint({
  ...READ,
  name: "subAccountEmail",
  doc: "The e-mail address of a sub-account",
  path: "/api/v2/broker/account/subaccount-email",
  parameters: { subUid },
  data: subAccountContact,
});

export const modifySubAccountEmail = writeEndpoint({
  ...OF_BROKER,
  name: "modifySubAccountEmail",
  doc: "Changes the e-mail address of a sub-account",
  path: "/api/v2/broker/account/modify-subaccount-email",
  permissions: BROKER_WRITE,
  parameters: {
    subUid,
    subaccountEmail: required(
      "New e-mail address",
      textRule({ max: 254, pattern: /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/, allowed: "an e-mail address" }),
    ),
  },
  data: changedEmail,
});

const withdrawalAcknowledgement = record({
  orderId: optionalText("Withdrawal order identifier"),
  clientOid: optionalText("The client's own identifier, echoed"),
});

export const subAccountWithdrawal = writeEndpoint({
  ...OF_BROKER,
  name: "subAccountWithdrawal",
  doc: "Withdraws from a sub-account, to a chain or to another user; for the broker's main account",
  path: "/api/v2/broker/account/subaccount-withdrawal",
  permissions: WITHDRAW,
  rate: perSecond(1, "UID"),
  parameters: {
    subUid,
    coin: required("Coin", coinName()),
    dest: required("To a chain, or to another user of the exchange", oneOf(WITHDRAWAL_DESTINATIONS)),
    chain: maybe("Chain. Default: the coin's main chain", textRule({ max: 40 })),
    address: required("Chain address, or the receiver's user identifier for an internal transfer", textRule()),
    amount: required("Amount", amount()),
    tag: maybe("Memo or comment that goes with the address", textRule()),
    clientOid: maybe("The client's own identifier", textRule({ max: 64 })),
  },
  rules: [
    {
      rule: "must be a user ID (digits) when dest is internal_transfer",
      broken: ({ dest, address }) => (dest === "internal_transfer" && !/^\d{1,20}$/.test(address) ? "address" : undefined),
    },
  ],
  data: withdrawalAcknowledgement,
});

export const subAccountWithdrawals = endpoint({
  ...OF_BROKER,
  name: "subAccountWithdrawals",
  doc: "Withdrawals of the broker's sub-accounts",
  path: "/api/v2/broker/subaccount-withdrawal",
  permissions: [...BROKER_READ, ...WITHDRAW],
  cache: PRIVATE_HISTORY,
  parameters: {
    orderId: maybe("Withdrawal order identifier", textRule()),
    userId: maybe("User identifier of the sub-account", textRule()),
    ...between,
    ...classicPaging(20, 100),
  },
  window: { from: "startTime", to: "endTime", range: { months: 3 } },
  data: classicPage(withdrawal, "resultList"),
});
