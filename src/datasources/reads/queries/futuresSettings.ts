import { accountSettings } from "@exchange-graph/contract/account";
import { type DecimalText, exact } from "@exchange-graph/contract/decimal";
import {
  classicFuturesAccount,
  futuresAccounts,
  type SingleFuturesAccount,
  subAccountFuturesAssets,
} from "@exchange-graph/contract/futuresAccount";
import { rowsRead } from "@exchange-graph/contract/rows";
import type { FuturesCategory, FuturesProductType } from "@exchange-graph/contract/vocabulary";
import type { ExchangeAccount } from "../../calls/index.js";
import type { Reads } from "../reader/reads.js";
import { marginCoinOf, symbolRules } from "./instruments.js";

/** The symbol; letter case does not matter. */
interface FuturesSymbol {
  readonly category: FuturesCategory;
  readonly symbol: string;
}

/**
 * Position mode, margin mode and leverage of a symbol, with or without a position. Throws `BAD_USER_INPUT` for a symbol that the
 * exchange does not list.
 */
export async function readFuturesSettings(reads: Reads, account: ExchangeAccount, { category, symbol: argument }: FuturesSymbol) {
  const mode = await reads.modeOf(account);
  const rules = await symbolRules(reads, mode, category, argument);
  const symbol = rules?.symbol ?? argument;
  if (mode === "UNIFIED") {
    const { holdMode, holdModeRaw, symbolSettings } = await reads.read(accountSettings, {}, account);
    const setting = rowsRead(symbolSettings).find((one) => one.category === category && one.symbol === symbol);
    const { marginMode = null, marginModeRaw = null, leverage = null } = setting ?? {};
    return { symbol, holdMode, holdModeRaw, marginMode, marginModeRaw, leverage, ...NO_LEVERAGES };
  }
  const marginCoin = marginCoinOf(category, rules);
  const one = await reads.read(classicFuturesAccount, { symbol, productType: category, marginCoin }, account);
  const { holdMode, holdModeRaw, marginMode, marginModeRaw } = one;
  const { crossedMarginLeverage, isolatedLongLeverage, isolatedShortLeverage } = one;
  const leverages = { crossedMarginLeverage, isolatedLongLeverage, isolatedShortLeverage };
  return { symbol, holdMode, holdModeRaw, marginMode, marginModeRaw, leverage: leverageOf(one), ...leverages };
}

const NO_LEVERAGES = { crossedMarginLeverage: null, isolatedLongLeverage: null, isolatedShortLeverage: null };

/** The leverage of the current margin mode. */
function leverageOf(account: SingleFuturesAccount): DecimalText | null {
  const { marginMode, crossedMarginLeverage, isolatedLongLeverage: long, isolatedShortLeverage: short } = account;
  if (marginMode === "crossed") return crossedMarginLeverage;
  if (marginMode !== "isolated" || long === null || short === null) return null;
  return exact(long).eq(exact(short)) ? long : null;
}

/** A Classic account's futures accounts of one product type, one per margin coin. */
export async function readFuturesAccounts(reads: Reads, account: ExchangeAccount, productType: FuturesProductType) {
  await reads.demand(account, "CLASSIC", "A futures account list");
  return reads.read(futuresAccounts, { productType }, account);
}

/** The futures assets of all sub-accounts. Only for Classic master accounts that are not ND brokers. */
export async function readSubAccountFuturesAssets(reads: Reads, account: ExchangeAccount, productType: FuturesProductType) {
  await reads.demand(account, "CLASSIC", "The list of sub-accounts' futures assets");
  return reads.read(subAccountFuturesAssets, { productType }, account);
}
