import { type Decoded, id, optionalDecimal, optionalTime } from "./codec.js";
import { endpoint, PRIVATE_STATE, perSecond, WATCHED_STATE } from "./endpoint.js";
import { list, listOf } from "./lists.js";
import { coinName, maybe, oneOf } from "./parameter.js";
import { SPOT_READ, UNIFIED_MANAGEMENT_READ } from "./permissions.js";
import { record } from "./record.js";

/** Balances: unified assets, the funding account beside them, and the Classic spot account. */

export const unifiedAsset = record({
  coin: id("Coin, for example `USDT`"),
  equity: optionalDecimal("Balance with frozen margin and unrealised profit and loss, in the coin"),
  valueUsd: optionalDecimal("The equity in USD, as the exchange values it (`usdValue`)", "usdValue"),
  balance: optionalDecimal("Balance, in the coin"),
  available: optionalDecimal("Free to use, in the coin"),
  debt: optionalDecimal("Owed, in the coin"),
  locked: optionalDecimal("Locked, in the coin"),
});
export type UnifiedAsset = Decoded<typeof unifiedAsset>;

export const unifiedAssetsRecord = record({
  equityUsd: optionalDecimal("Equity of the account, in USD (`accountEquity`)", "accountEquity"),
  equityUsdt: optionalDecimal("Equity of the account, in USDT (`usdtEquity`)", "usdtEquity"),
  equityBtc: optionalDecimal("Equity of the account, in BTC (`btcEquity`)", "btcEquity"),
  unrealisedPnlUsd: optionalDecimal("Unrealised profit and loss, in USD (`unrealisedPnl`)", "unrealisedPnl"),
  unrealisedPnlUsdt: optionalDecimal("Unrealised profit and loss, in USDT (`usdtUnrealisedPnl`)", "usdtUnrealisedPnl"),
  unrealisedPnlBtc: optionalDecimal(
    "Unrealised profit and loss, in BTC; the exchange spells it `btcUnrealisedPnl` and `btcUnrealizedPnl`",
    "btcUnrealizedPnl",
    "btcUnrealisedPnl",
  ),
  effectiveEquityUsd: optionalDecimal("Equity that counts as margin, in USD (`effEquity`)", "effEquity"),
  maintenanceMarginUsd: optionalDecimal("Maintenance margin, in USD (`mmr`)", "mmr"),
  initialMarginUsd: optionalDecimal("Initial margin, in USD (`imr`)", "imr"),
  marginRatio: optionalDecimal(
    "Maintenance margin over equity, open orders included, as a fraction: at 1 the account is liquidated (`mgnRatio`)",
    "mgnRatio",
  ),
  positionMarginRatio: optionalDecimal(
    "Maintenance margin of the positions over equity, as a fraction (`positionMgnRatio`)",
    "positionMgnRatio",
  ),
  positionValueUsd: optionalDecimal("Value of the positions, in USD (`positionValue`)", "positionValue"),
  leverage: optionalDecimal("Value of the positions over equity"),
  bonusUsd: optionalDecimal("Trading bonus, in USD (`bonus`)", "bonus"),
  assets: list("Coins that are not zero", unifiedAsset),
});
export type UnifiedAssets = Decoded<typeof unifiedAssetsRecord>;

export const unifiedAssets = endpoint({
  name: "unifiedAssets",
  doc: "Assets and margin of a unified account",
  path: "/api/v3/account/assets",
  permissions: UNIFIED_MANAGEMENT_READ,
  rate: perSecond(20, "UID"),
  cache: PRIVATE_STATE,
  parameters: {},
  data: unifiedAssetsRecord,
});

export const fundingBalance = record({
  coin: id("Coin, for example `USDT`"),
  available: optionalDecimal("Free to use, in the coin"),
  frozen: optionalDecimal("Held back, in the coin"),
  balance: optionalDecimal("Balance, in the coin"),
});

export const fundingAssets = endpoint({
  name: "fundingAssets",
  doc: "Coins in the funding account of a unified account that are not zero",
  path: "/api/v3/account/funding-assets",
  permissions: UNIFIED_MANAGEMENT_READ,
  rate: perSecond(20, "UID"),
  cache: WATCHED_STATE,
  parameters: { coin: maybe("Coin. Default: all of them", coinName()) },
  data: listOf(fundingBalance),
});

export const spotBalance = record({
  coin: id("Coin"),
  available: optionalDecimal("Free to use"),
  frozen: optionalDecimal("Held back for open orders"),
  locked: optionalDecimal("Locked for other reasons, for example what a fiat merchant has to leave"),
  limitAvailable: optionalDecimal("Free to use for spot copy trading only"),
  updatedTime: optionalTime("Last update", "uTime"),
});
export type SpotBalance = Decoded<typeof spotBalance>;

const SPOT_ASSET_TYPES = ["hold_only", "all"] as const;

export const classicSpotAssets = endpoint({
  name: "classicSpotAssets",
  doc: "Coins of a Classic spot account",
  path: "/api/v2/spot/account/assets",
  permissions: SPOT_READ,
  rate: perSecond(10, "UID"),
  cache: PRIVATE_STATE,
  parameters: {
    coin: maybe("Coin; it wins over the asset type", coinName()),
    assetType: maybe("Only what is held, or every coin", oneOf(SPOT_ASSET_TYPES, { fallback: "hold_only" })),
  },
  data: listOf(spotBalance),
});
