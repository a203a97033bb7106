import { type Decoded, id, optionalDecimal, optionalText, optionalToken } from "./codec.js";
import { endpoint, KEPT_MS, PRIVATE_STATE, perSecond } from "./endpoint.js";
import { list, listOf } from "./lists.js";
import { coinName, required, symbolName } from "./parameter.js";
import { FUTURES_READ } from "./permissions.js";
import { record } from "./record.js";
import { productType } from "./trading.js";
import { HOLD_MODES, MARGIN_MODE_WIRE_NAMES, MARGIN_MODES } from "./vocabulary.js";

/** Futures accounts of the Classic API: one per margin coin and product type, of the client and of sub-accounts. */

export const ASSET_MODES = ["single", "union"] as const;

/** Figures in all lists of such accounts. */
export const futuresBalanceFields = {
  marginCoin: id("Margin coin, in which the amounts below are counted"),
  locked: optionalDecimal("Locked, in margin coin"),
  available: optionalDecimal("Free to use, in margin coin"),
  crossedMaxAvailable: optionalDecimal("Most that can open positions with cross margin, in margin coin"),
  isolatedMaxAvailable: optionalDecimal("Most that can open positions with isolated margin, in margin coin"),
  maxTransferOut: optionalDecimal("Most that can be transferred out, in margin coin"),
  equityUsdt: optionalDecimal("Equity, in USDT (`usdtEquity`)", "usdtEquity"),
  equityBtc: optionalDecimal("Equity, in BTC (`btcEquity`)", "btcEquity"),
  unrealisedPnl: optionalDecimal(
    "Unrealised profit and loss of the open positions, in margin coin; null where the exchange leaves it empty (`unrealizedPL`)",
    "unrealizedPL",
  ),
  bonus: optionalDecimal("Trading bonus, in margin coin (`coupon`)", "coupon"),
};

/** Additional figures for the account's owner; older answers lack the last five. */
const ownFields = {
  equity: optionalDecimal(
    "Equity with unrealised profit and loss at mark price, in margin coin (`accountEquity`)",
    "accountEquity",
  ),
  crossedMarginRatio: optionalDecimal("Risk ratio with cross margin, as a fraction (`crossedRiskRate`)", "crossedRiskRate"),
  isolatedMargin: optionalDecimal("Margin of the isolated positions, in margin coin; null where the exchange leaves it out"),
  crossedMargin: optionalDecimal("Margin of the cross positions, in margin coin; null where the exchange leaves it out"),
  crossedUnrealisedPnl: optionalDecimal(
    "Unrealised profit and loss of the cross positions, in margin coin; null where the exchange leaves it out (`crossedUnrealizedPL`)",
    "crossedUnrealizedPL",
  ),
  isolatedUnrealisedPnl: optionalDecimal(
    "Unrealised profit and loss of the isolated positions, in margin coin; null where the exchange leaves it out (`isolatedUnrealizedPL`)",
    "isolatedUnrealizedPL",
  ),
  assetMode: optionalToken("Which coins count as margin; null where the exchange leaves it out", ASSET_MODES),
};

export const futuresAccountAsset = record({
  coin: id("Coin, for example `USDT`"),
  balance: optionalDecimal("Balance, in the coin"),
  available: optionalDecimal("Free to use, in the coin; null where the exchange leaves it out"),
});

export const futuresAccount = record({
  ...futuresBalanceFields,
  ...ownFields,
  // The union figures apply in multi-asset mode only, and may be empty outside it.
  unionTotalMargin: optionalDecimal(
    "Total margin in multi-asset mode; the exchange also spells it `unionTotalMagin`",
    "unionTotalMargin",
    "unionTotalMagin",
  ),
  unionAvailable: optionalDecimal("Total free to use in multi-asset mode"),
  unionMaintenanceMargin: optionalDecimal("Maintenance margin in multi-asset mode (`unionMm`)", "unionMm"),
  assets: list("What the account holds, by coin", futuresAccountAsset, "assetList"),
});
export type FuturesAccount = Decoded<typeof futuresAccount>;

const READ = { permissions: FUTURES_READ, rate: perSecond(10, "UID"), cache: PRIVATE_STATE } as const;

export const futuresAccounts = endpoint({
  ...READ,
  name: "futuresAccounts",
  doc: "The futures accounts of a product type, one per margin coin",
  path: "/api/v2/mix/account/accounts",
  parameters: { productType },
  data: listOf(futuresAccount),
});

export const subAccountFuturesAsset = record({
  ...futuresBalanceFields,
  equity: optionalDecimal(
    "Equity with unrealised profit and loss, in margin coin; the exchange also spells it `equity` (`accountEquity`)",
    "accountEquity",
    "equity",
  ),
});

export const subAccountFuturesAssetsRecord = record({
  subUid: id("User identifier of the sub-account; the exchange sends it as a number (`userId`)", "userId"),
  assets: list("Its futures accounts, one per margin coin", subAccountFuturesAsset, "assetList"),
});

export const subAccountFuturesAssets = endpoint({
  name: "subAccountFuturesAssets",
  doc: "Futures assets of all sub-accounts",
  path: "/api/v2/mix/account/sub-account-assets",
  permissions: FUTURES_READ,
  audience: "not-nd-broker",
  rate: { limit: 1, windowMs: 10_000, per: "UID" },
  // Fresh for as long as the one call per window; stale for as long as the other product types may use that call.
  cache: { freshMs: 10_000, staleMs: 50_000, keptMs: KEPT_MS },
  parameters: { productType },
  data: listOf(subAccountFuturesAssetsRecord),
});

const singleFuturesAccount = record({
  ...futuresBalanceFields,
  marginCoin: optionalText("Margin coin"),
  ...ownFields,
  crossedMarginLeverage: optionalDecimal("Leverage with cross margin"),
  isolatedLongLeverage: optionalDecimal("Leverage of isolated long positions", "isolatedLongLever"),
  isolatedShortLeverage: optionalDecimal("Leverage of isolated short positions", "isolatedShortLever"),
  marginMode: optionalToken("Margin mode of the symbol", MARGIN_MODES, MARGIN_MODE_WIRE_NAMES),
  holdMode: optionalToken("Position mode", HOLD_MODES, {}, "posMode"),
});
export type SingleFuturesAccount = Decoded<typeof singleFuturesAccount>;

export const classicFuturesAccount = endpoint({
  ...READ,
  name: "classicFuturesAccount",
  doc: "One futures account with leverage and modes of one symbol",
  path: "/api/v2/mix/account/account",
  parameters: {
    symbol: required("Symbol name", symbolName()),
    productType,
    marginCoin: required("Margin coin", coinName()),
  },
  data: singleFuturesAccount,
});
