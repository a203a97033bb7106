import { accountSettings, classicAccount } from "../../contract/account.js";
import { FUTURES_CATEGORIES } from "../../contract/vocabulary.js";
import type { SymbolSetting } from "../world/accounts.js";
import type { State } from "../world/state.js";
import { type Handler, signed } from "./handler.js";

/** v3 has one position mode for all categories; this one stands for it. */
const [ANY_CATEGORY] = FUTURES_CATEGORIES;

/** Who an account is and how it is set up. */
export const accountHandlers = (state: State): readonly Handler[] => [
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

  // Only v2 permissions have a place here. The master's id is a bare number; the master of a master is itself.
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
];

/** Settings are kept under `category/symbol`. */
function symbolSetting(name: string, { marginMode, crossed, long }: SymbolSetting): unknown {
  const [category, symbol] = name.split("/");
  return { category, symbol, marginMode, leverage: String(marginMode === "crossed" ? crossed : long) };
}
