import { type SpotBalance, spotBalance, unifiedAsset, unifiedAssetsRecord } from "../asset.js";
import { type Decoded, optionalDecimal, optionalToken, text, token } from "../codec.js";
import { ASSET_MODES } from "../futuresAccount.js";
import { list } from "../lists.js";
import { record, withWireKeys } from "../record.js";
import { FUTURES_CATEGORIES } from "../vocabulary.js";
import {
  classicFuturesAccount,
  classicSpotAccount,
  type Everything,
  type FuturesMarket,
  inCategory,
  unifiedAccount,
} from "./arguments.js";
import { CHANGES, type Channel, STATE } from "./channel.js";

/** Balances, pushed after every change. */

/** A push has `borrow` beside `debts`: the borrowed amount, and the debt with interest. */
const streamedAsset = record({
  ...withWireKeys(unifiedAsset.fields, { debt: ["debts"] }),
  borrowed: optionalDecimal("Borrowed, in the coin", "borrow"),
});

const streamedAssets = record({
  ...withWireKeys(unifiedAssetsRecord.fields, {
    equityUsd: ["totalEquity"],
    unrealisedPnlUsd: ["unrealisedPnL", "unrealisedPnl"],
  }),
  assets: list("Coins; an update may name the changed ones alone", streamedAsset, "coin"),
});
export type StreamedAssets = Decoded<typeof streamedAssets>;

export const accountChannel: Channel<Everything, StreamedAssets> = {
  name: "account",
  doc: "Assets and margin of a unified account; absolute figures, coin by coin",
  ...unifiedAccount("account"),
  ...CHANGES,
  item: streamedAssets,
};

export const classicSpotAccountChannel: Channel<Everything, SpotBalance> = {
  name: "classicSpotAccount",
  doc: "Spot balances of a Classic account: all coins, then the changed ones",
  ...classicSpotAccount("account", "coin"),
  ...STATE,
  item: spotBalance,
};

/** A Classic futures account as pushed: fewer figures than in the REST interface. */
const streamedFuturesAccount = record({
  category: token("Product category", FUTURES_CATEGORIES),
  marginCoin: text("Margin coin"),
  locked: optionalDecimal("Locked, in margin coin", "frozen"),
  available: optionalDecimal("Free to use, in margin coin"),
  crossedMaxAvailable: optionalDecimal("Most that can open positions, in margin coin", "maxOpenPosAvailable"),
  maxTransferOut: optionalDecimal("Most that can be transferred out, in margin coin"),
  equity: optionalDecimal("Equity with unrealised profit and loss at mark price, in margin coin", "equity"),
  equityUsdt: optionalDecimal("Equity, in USDT", "usdtEquity"),
  crossedMarginRatio: optionalDecimal("Risk ratio with cross margin, as a fraction", "crossedRiskRate"),
  unrealisedPnl: optionalDecimal("Unrealised profit and loss of the open positions, in margin coin", "unrealizedPL"),
  unionTotalMargin: optionalDecimal("Total margin in multi-asset mode"),
  unionAvailable: optionalDecimal("Total free to use in multi-asset mode"),
  unionMaintenanceMargin: optionalDecimal("Maintenance margin in multi-asset mode", "unionMm"),
  assetMode: optionalToken("One coin as margin, or several in union", ASSET_MODES, undefined, "assetsMode"),
});
export type StreamedFuturesAccount = Decoded<typeof streamedFuturesAccount>;

export const classicFuturesAccountChannel: Channel<FuturesMarket, StreamedFuturesAccount> = {
  name: "classicFuturesAccount",
  doc: "Futures accounts of a Classic account, by product type: one per margin coin, then the changed ones",
  ...classicFuturesAccount("account", "coin"),
  ...STATE,
  item: streamedFuturesAccount,
  implied: inCategory,
};

const futuresEquity = record({
  category: token("Product category", FUTURES_CATEGORIES),
  equityBtc: optionalDecimal("Equity of all margin coins, in BTC", "btcEquity"),
  equityUsdt: optionalDecimal("Equity of all margin coins, in USDT", "usdtEquity"),
  unrealisedPnlUsdt: optionalDecimal("Unrealised profit and loss of the open positions, in USDT", "unrealizedPL"),
  unionTotalMargin: optionalDecimal("Total margin in multi-asset mode"),
  unionAvailable: optionalDecimal("Total free to use in multi-asset mode"),
  unionMaintenanceMargin: optionalDecimal("Maintenance margin in multi-asset mode", "unionMm"),
});
type FuturesEquity = Decoded<typeof futuresEquity>;

export const classicEquityChannel: Channel<FuturesMarket, FuturesEquity> = {
  name: "classicEquity",
  doc: "What the futures accounts of a product type are worth together",
  ...classicFuturesAccount("equity"),
  ...STATE,
  item: futuresEquity,
  implied: inCategory,
};
