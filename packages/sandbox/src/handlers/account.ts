import {
  accountSettings,
  classicAccount,
  switchAccount,
  switchStatus,
  upgradeAccount,
  upgradeStatus,
} from "@exchange-graph/contract/account";
import { exact } from "@exchange-graph/contract/decimal";
import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import { inCapitals } from "@exchange-graph/contract/letterCase";
import {
  classicSetHoldMode,
  classicSetLeverage,
  classicSetMarginMode,
  setHoldMode,
  setLeverage,
} from "@exchange-graph/contract/leverage";
import { classicSetMargin } from "@exchange-graph/contract/position";
import { FUTURES_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import { Refused } from "../refused.js";
import type { AccountModes, ModeChange } from "../world/accountModes.js";
import type { Settings } from "../world/accountSettings.js";
import type { SymbolSetting } from "../world/accounts.js";
import type { Markets } from "../world/market/markets.js";
import type { State } from "../world/state.js";
import { type Handler, signed } from "./handler.js";
import { categoryOf, contractIn } from "./symbols.js";

/** v3 has one position mode for all categories; it is read from this one. */
const [ANY_CATEGORY] = FUTURES_CATEGORIES;

export const accountHandlers = (state: State, modes: AccountModes): readonly Handler[] => [
  signed(accountSettings, ({ uid }) => {
    const account = state.accounts.of(uid);
    return {
      uid,
      accountMode: account.mode,
      assetMode: "multi_assets",
      accountLevel: "advanced",
      holdMode: account.holdMode(ANY_CATEGORY),
      stpMode: "none",
      symbolConfigList: account.settings().map(([name, setting]) => symbolSetting(name, setting)),
      coinConfigList: account.coinLeverages().map(([coin, leverage]) => ({ coin, leverage: String(leverage) })),
    };
  }),

  // Only v2 permissions are listed here. The master's id is a bare number; the master of a master is itself.
  signed(classicAccount, ({ uid, permissions }) => {
    const account = state.accounts.of(uid);
    return {
      userId: uid,
      inviterId: "0",
      ips: "",
      authorities: permissions.filter((permission) => !permission.includes(":")),
      parentId: Number.parseInt(account.parentUid ?? uid, 10),
      traderType: account.isCopyTrader ? "trader" : "not_trader",
      channelCode: "",
      channel: "",
      regisTime: String(account.createdTime),
    };
  }),

  signed(upgradeAccount, ({ values, uid }) => {
    modes.upgrade(ownOrSub(state, uid, values.subUid));
    return null;
  }),
  signed(upgradeStatus, ({ values, uid }) => {
    const target = ownOrSub(state, uid, values.subUid);
    return changeTo("unified", modes.statusOf(target, "unified"), state.accounts.of(target).mode);
  }),
  signed(switchAccount, ({ uid }) => {
    modes.downgrade(uid);
    return null;
  }),
  signed(switchStatus, ({ uid }) => changeTo("classic", modes.statusOf(uid, "classic"), state.accounts.of(uid).mode)),
];

function ownOrSub(state: State, uid: string, subUid: string | undefined): string {
  if (subUid === undefined) return uid;
  const isOwn = state.accounts.subAccounts(uid).some((sub) => sub.uid === subUid);
  if (!isOwn) throw new Refused(REFUSAL.unknownValue, "subUid");
  return subUid;
}

/** Without a requested change, the account has that mode already or has never started a change. */
function changeTo(goal: "unified" | "classic", change: ModeChange | undefined, mode: string): unknown {
  const { status, reason } = change ?? (mode === goal ? { status: "success" } : { status: "fail", reason: "not_requested" });
  return reason === undefined ? { status } : { status, reason };
}

/** Settings are kept under `category/symbol`. */
function symbolSetting(name: string, { marginMode, crossed, long }: SymbolSetting): unknown {
  const [category, symbol] = name.split("/");
  return { category, symbol, marginMode, leverage: String(marginMode === "crossed" ? crossed : long) };
}

/** Answer of v3 setters. */
const DONE = "success";

export const settingsHandlers = (settings: Settings, markets: Markets): readonly Handler[] => [
  signed(setLeverage, ({ values, uid }) => {
    const { category, symbol = "", coin = "", posSide } = values;
    const leverage = wholeLeverage(values.leverage);
    if (category === "MARGIN") settings.setCoinLeverage(uid, inCapitals(coin), leverage);
    else settings.setLeverage({ uid, category, symbol }, posSide === undefined ? everywhere(leverage) : { [posSide]: leverage });
    return DONE;
  }),

  signed(setHoldMode, ({ values, uid }) => {
    settings.setHoldMode(uid, values.holdMode);
    return DONE;
  }),

  signed(classicSetLeverage, ({ values, uid }) => {
    const { holdSide, leverage, longLeverage, shortLeverage } = values;
    const { category, symbol, contract } = contractIn(markets, categoryOf(values.productType), values);
    const named = leverage === undefined ? undefined : wholeLeverage(leverage);
    const after = settings.setLeverage(
      { uid, category, symbol },
      {
        ...(named === undefined ? {} : holdSide === undefined ? everywhere(named) : { [holdSide]: named }),
        ...(longLeverage === undefined ? {} : { long: wholeLeverage(longLeverage) }),
        ...(shortLeverage === undefined ? {} : { short: wholeLeverage(shortLeverage) }),
      },
    );
    return symbolLeverage(symbol, contract.marginCoin, after);
  }),

  signed(classicSetMarginMode, ({ values, uid }) => {
    const { category, symbol, contract } = contractIn(markets, categoryOf(values.productType), values);
    const after = settings.setMarginMode({ uid, category, symbol }, values.marginMode);
    return symbolLeverage(symbol, contract.marginCoin, after);
  }),

  signed(classicSetHoldMode, ({ values, uid }) => {
    settings.setHoldMode(uid, values.posMode, categoryOf(values.productType));
    return { posMode: values.posMode };
  }),

  signed(classicSetMargin, ({ values, uid }) => {
    const { category, symbol } = contractIn(markets, categoryOf(values.productType), values);
    settings.adjustMargin({ uid, category, symbol, side: values.holdSide }, exact(values.amount));
    return "";
  }),
];

const everywhere = (leverage: number) => ({ crossed: leverage, long: leverage, short: leverage });

function wholeLeverage(leverage: string): number {
  if (!/^\d{1,3}(?:\.0+)?$/.test(leverage)) throw new Refused(REFUSAL.malformedParameter, "leverage");
  return Number.parseInt(leverage, 10);
}

const symbolLeverage = (symbol: string, marginCoin: string, { marginMode, crossed, long, short }: SymbolSetting): unknown => ({
  symbol,
  marginCoin,
  longLeverage: String(marginMode === "crossed" ? crossed : long),
  shortLeverage: String(marginMode === "crossed" ? crossed : short),
  crossMarginLeverage: String(crossed),
  marginMode,
});
