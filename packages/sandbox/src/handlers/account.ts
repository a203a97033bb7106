import {
  accountSettings,
  classicAccount,
  switchAccount,
  switchStatus,
  upgradeAccount,
  upgradeStatus,
} from "@exchange-graph/contract/account";
import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import { FUTURES_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import { Refused } from "../refused.js";
import type { AccountModes, ModeChange } from "../world/accountModes.js";
import type { SymbolSetting } from "../world/accounts.js";
import type { State } from "../world/state.js";
import { type Handler, signed } from "./handler.js";

/** v3 has one position mode for all categories; it is read from this one. */
const [ANY_CATEGORY] = FUTURES_CATEGORIES;

/** Identity and settings of an account. */
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
