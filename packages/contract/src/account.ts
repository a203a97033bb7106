import {
  type Decoded,
  id,
  mapped,
  nothing,
  optionalDecimal,
  optionalText,
  optionalTime,
  optionalToken,
  text,
  token,
} from "./codec.js";
import { type CacheLifetime, endpoint, perSecond, writeEndpoint } from "./endpoint.js";
import { list, optionalTexts } from "./lists.js";
import { maybe, textRule } from "./parameter.js";
import { SPOT_READ, SPOT_WRITE, UNIFIED_MANAGEMENT_READ, UNIFIED_MANAGEMENT_WRITE } from "./permissions.js";
import { record } from "./record.js";
import { HOLD_MODES, MARGIN_MODES, PRODUCT_CATEGORIES, STP_MODES } from "./vocabulary.js";

/** Identity and settings of an account, and the change between the account modes. */

/** Settings change rarely, and by hand; changes made here remove them from the cache. */
const SETTINGS: CacheLifetime = { freshMs: 3_000, staleMs: 0 };

export const ACCOUNT_MODES = ["unified", "hybrid", "upgrading", "switching"] as const;
export const ACCOUNT_LEVELS = ["basic", "advanced", "isolated", "delta"] as const;
export const UNIFIED_ASSET_MODES = ["multi_assets", "union"] as const;
export const TRADER_TYPES = ["trader", "not_trader"] as const;
export const MODE_CHANGE_STATUSES = ["process", "success", "fail"] as const;

export const symbolSetting = record({
  category: token("Product category of the symbol", PRODUCT_CATEGORIES),
  symbol: text("Symbol name, for example `BTCUSDT`"),
  marginMode: optionalToken("Margin mode of the symbol", MARGIN_MODES),
  leverage: optionalDecimal("Leverage of the symbol"),
});

export const coinSetting = record({
  coin: id("Coin, for example `BTC`"),
  leverage: optionalDecimal("Leverage when the coin is borrowed"),
});

export const accountSettingsRecord = record({
  uid: optionalText("User identifier (Classic: `userId`)"),
  accountMode: optionalToken("Its mode, or the change of mode that is under way; unified accounts only", ACCOUNT_MODES),
  assetMode: optionalToken("Which assets count as margin; unified accounts only", UNIFIED_ASSET_MODES),
  accountLevel: optionalToken("Level of the account; unified accounts only", ACCOUNT_LEVELS),
  holdMode: optionalToken("Position mode of the futures categories; unified accounts only", HOLD_MODES),
  stpMode: optionalToken("Self-trade prevention; unified accounts only", STP_MODES),
  symbolSettings: list("Symbols that have been configured", symbolSetting, "symbolConfigList"),
  coinSettings: list("Coins that have been configured for margin trading", coinSetting, "coinConfigList"),
});
export type AccountSettings = Decoded<typeof accountSettingsRecord>;

export const accountSettings = endpoint({
  name: "accountSettings",
  doc: "Modes and leverage of a unified account; a Classic account is refused, which shows its mode",
  path: "/api/v3/account/settings",
  permissions: UNIFIED_MANAGEMENT_READ,
  rate: perSecond(20, "UID"),
  cache: SETTINGS,
  parameters: {},
  data: accountSettingsRecord,
});

/** The exchange sends the addresses that a key is bound to as one comma-separated text. */
export const classicAccountRecord = mapped(
  record({
    userId: optionalText("User identifier"),
    inviterId: optionalText("User identifier of the inviter"),
    ips: optionalText("Addresses that the key is bound to"),
    authorities: optionalTexts("Permissions of the key"),
    parentId: optionalText("User identifier of the master account"),
    traderType: optionalToken("Do others copy its trades?", TRADER_TYPES),
    channelCode: optionalText("Code of the affiliate"),
    channel: optionalText("Channel of the affiliate"),
    registeredTime: optionalTime("Registration", "regisTime"),
  }),
  ({ ips, ...account }) => ({ ...account, ips: ips?.split(",").map((address) => address.trim()) ?? [] }),
);
export type ClassicAccount = Decoded<typeof classicAccountRecord>;

export const classicAccount = endpoint({
  name: "classicAccount",
  doc: "Who a Classic account is and what the key may do",
  path: "/api/v2/spot/account/info",
  permissions: SPOT_READ,
  rate: perSecond(1, "UID"),
  cache: SETTINGS,
  parameters: {},
  data: classicAccountRecord,
});

export const modeChange = record({
  status: optionalToken("State of the upgrade", MODE_CHANGE_STATUSES),
  reason: optionalText("Why it failed, in the exchange's words; null unless it did"),
});
export type ModeChange = Decoded<typeof modeChange>;

const subUid = maybe("User identifier of a sub-account. Default: the client's own account", textRule());

/** Takes about a minute. A master that is unified already may still upgrade its sub-accounts. */
export const upgradeAccount = writeEndpoint({
  name: "upgradeAccount",
  doc: "Starts the upgrade of a Classic account to a unified one",
  path: "/api/v2/spot/account/upgrade",
  serves: "BOTH",
  permissions: SPOT_WRITE,
  rate: perSecond(1, "UID"),
  parameters: { subUid },
  data: nothing,
});

/** Can be requested for either side of the upgrade. */
export const upgradeStatus = endpoint({
  name: "upgradeStatus",
  doc: "How far an upgrade has come",
  path: "/api/v2/spot/account/upgrade-status",
  serves: "BOTH",
  permissions: SPOT_READ,
  rate: perSecond(1, "UID"),
  parameters: { subUid },
  data: modeChange,
});

/** For master accounts only. */
export const switchAccount = writeEndpoint({
  name: "switchAccount",
  doc: "Starts the way back from a unified account to a Classic one",
  path: "/api/v3/account/switch",
  permissions: UNIFIED_MANAGEMENT_WRITE,
  rate: perSecond(1, "UID"),
  parameters: {},
  data: nothing,
});

/** For master accounts only. Can be requested for either side of the switch. */
export const switchStatus = endpoint({
  name: "switchStatus",
  doc: "How far a switch to a Classic account has come",
  path: "/api/v3/account/switch-status",
  serves: "BOTH",
  permissions: UNIFIED_MANAGEMENT_READ,
  rate: perSecond(5, "UID"),
  parameters: {},
  data: modeChange,
});
