import { type AccountSettings, accountSettings, upgradeAccount, upgradeStatus } from "@exchange-graph/contract/account";
import { unifiedAssets } from "@exchange-graph/contract/asset";
import { modifySubAccountEmail, subAccountEmail, subAccountList } from "@exchange-graph/contract/broker";
import type { DecimalText } from "@exchange-graph/contract/decimal";
import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import { classicFuturesAccount, type SingleFuturesAccount } from "@exchange-graph/contract/futuresAccount";
import { classicContracts } from "@exchange-graph/contract/instrument";
import {
  classicSetHoldMode,
  classicSetLeverage,
  classicSetMarginMode,
  setHoldMode,
  setLeverage,
} from "@exchange-graph/contract/leverage";
import type { ParameterSet } from "@exchange-graph/contract/parameter";
import { classicSetMargin, positions } from "@exchange-graph/contract/position";
import { rowsRead } from "@exchange-graph/contract/rows";
import { EVERYTHING, FUTURES_POSITIONS, FUTURES_WALLETS } from "../../reads/index.js";
import { is, isCovered, isEqual, isSameName } from "./evidence.js";
import { type LookUpResult, type LostWrite, policy } from "./policy.js";

/** Settings prove themselves: once the account has the requested setting, it does not matter which request set it. */

/**
 * `condition`: whether it is set; `undefined` if the answer lacks it. `keys` are the parameters that identify the setting, which
 * may have been changed again since.
 */
async function isSet<P extends ParameterSet>(
  lost: LostWrite<P>,
  condition: boolean | undefined,
  keys: readonly (keyof P & string)[],
): Promise<LookUpResult<null>> {
  if (condition === undefined) return "undecidable";
  if (condition) return { accepted: null };
  const { values } = lost.entry;
  return (await isCovered(lost, (others) => keys.every((key) => others[key] === values[key]))) ? "undecidable" : "no trace";
}
const done = (): null => null;

/** The leverage in an account's settings; `null` if they lack the symbol or coin, `undefined` if the value is missing. */
function unifiedLeverage(
  { symbolSettings, coinSettings }: AccountSettings,
  {
    category,
    symbol,
    coin,
  }: { readonly category: string; readonly symbol?: string | undefined; readonly coin?: string | undefined },
): DecimalText | null | undefined {
  const setting =
    category === "MARGIN"
      ? rowsRead(coinSettings).find((one) => one.coin === coin)
      : rowsRead(symbolSettings).find((one) => one.category === category && one.symbol === symbol);
  return setting === undefined ? null : (setting.leverage ?? undefined);
}

export const setLeveragePolicy = policy(setLeverage, {
  invalidates: [accountSettings, positions, unifiedAssets],
  reply: done,
  proof: {
    reads: [accountSettings.name],
    shows:
      "the settings name the leverage; they do not distinguish the sides of isolated margin, so with a posSide nothing is proven",
    look: async (lookUp, lost) => {
      const { values } = lost;
      if (values.posSide !== undefined) return "undecidable";
      const leverage = unifiedLeverage(await lookUp.read(accountSettings, {}), values);
      const isAsRequested = leverage === undefined ? undefined : isEqual(leverage, values.leverage);
      return isSet(lost, isAsRequested, ["category", values.category === "MARGIN" ? "coin" : "symbol"]);
    },
  },
});

/** The Classic leverages of a symbol that a change sets, of three. */
function classicLeverages(
  account: SingleFuturesAccount,
  holdSide: "long" | "short" | undefined,
): readonly (DecimalText | null)[] {
  const { crossedMarginLeverage, isolatedLongLeverage, isolatedShortLeverage } = account;
  if (holdSide !== undefined) return [holdSide === "long" ? isolatedLongLeverage : isolatedShortLeverage];
  return account.marginMode === "crossed" ? [crossedMarginLeverage] : [isolatedLongLeverage, isolatedShortLeverage];
}

export const classicSetLeveragePolicy = policy(classicSetLeverage, {
  invalidates: [...FUTURES_POSITIONS, ...FUTURES_WALLETS],
  reply: done,
  isAnswerTo: (data, { symbol }) => isSameName(data.symbol, symbol),
  echoes: [REFUSAL.sameLeverage.code],
  proof: {
    reads: [classicFuturesAccount.name],
    shows: "the futures account names the leverage",
    look: async (lookUp, lost) => {
      const { symbol, productType, marginCoin, holdSide, leverage = null } = lost.values;
      const account = await lookUp.read(classicFuturesAccount, { symbol, productType, marginCoin });
      const leverages = classicLeverages(account, holdSide);
      const isAsRequested = leverages.includes(null) ? undefined : leverages.every((present) => isEqual(present, leverage));
      return isSet(lost, isAsRequested, ["symbol", "productType"]);
    },
  },
});

export const setHoldModePolicy = policy(setHoldMode, {
  invalidates: [accountSettings, positions],
  changes: "positionMode",
  reply: done,
  proof: {
    reads: [accountSettings.name],
    shows: "the settings name the position mode",
    look: async (lookUp, lost) => isSet(lost, is((await lookUp.read(accountSettings, {})).holdMode, lost.values.holdMode), []),
  },
});

export const classicSetHoldModePolicy = policy(classicSetHoldMode, {
  invalidates: [...FUTURES_POSITIONS, ...FUTURES_WALLETS],
  changes: "positionMode",
  reply: done,
  proof: {
    reads: [classicContracts.name, classicFuturesAccount.name],
    shows: "the futures account of any symbol names the position mode",
    look: async (lookUp, lost) => {
      const { productType, posMode } = lost.values;
      const [contract] = rowsRead(await lookUp.read(classicContracts, { productType }));
      const [marginCoin] = contract?.supportMarginCoins ?? [];
      if (contract === undefined || marginCoin === undefined) return "undecidable";
      const account = await lookUp.read(classicFuturesAccount, { symbol: contract.symbol, productType, marginCoin });
      return isSet(lost, is(account.holdMode, posMode), ["productType"]);
    },
  },
});

export const classicSetMarginModePolicy = policy(classicSetMarginMode, {
  invalidates: [...FUTURES_POSITIONS, ...FUTURES_WALLETS],
  changes: "marginMode",
  reply: done,
  isAnswerTo: (data, { symbol }) => isSameName(data.symbol, symbol),
  proof: {
    reads: [classicFuturesAccount.name],
    shows: "the futures account names the margin mode",
    look: async (lookUp, lost) => {
      const { symbol, productType, marginCoin, marginMode } = lost.values;
      const account = await lookUp.read(classicFuturesAccount, { symbol, productType, marginCoin });
      return isSet(lost, is(account.marginMode, marginMode), ["symbol", "productType"]);
    },
  },
});

/** The margin of a position changes with profit, loss and funding, so its amount proves nothing. */
export const classicSetMarginPolicy = policy(classicSetMargin, {
  invalidates: [...FUTURES_POSITIONS, ...FUTURES_WALLETS],
  reply: done,
});

export const modifySubAccountEmailPolicy = policy(modifySubAccountEmail, {
  invalidates: [subAccountEmail, subAccountList],
  reply: done,
  isAnswerTo: (data, { subUid }) => data === null || data.subUid === subUid,
  proof: {
    reads: [subAccountEmail.name],
    shows: "the sub-account has the address",
    look: async (lookUp, lost) => {
      const { subUid, subaccountEmail } = lost.values;
      return isSet(lost, is((await lookUp.read(subAccountEmail, { subUid })).email, subaccountEmail), ["subUid"]);
    },
  },
});

export const upgradeAccountPolicy = policy(upgradeAccount, {
  invalidates: EVERYTHING,
  changes: "accountMode",
  reply: done,
  proof: {
    reads: [upgradeStatus.name],
    shows: "an upgrade is under way or has succeeded",
    look: async (lookUp, { values }) => {
      const { status } = await lookUp.read(upgradeStatus, values);
      if (status === null || status === "UNKNOWN") return "undecidable";
      return status === "process" || status === "success" ? { accepted: null } : "no trace";
    },
  },
});
