import { type DecimalText, exact } from "@exchange-graph/contract/decimal";
import {
  FUTURES_CATEGORIES,
  type FuturesCategory,
  type FuturesProductType,
  type HOLD_MODES,
  type MARGIN_MODES,
  type POSITION_SIDES,
} from "@exchange-graph/contract/vocabulary";
import type { ArgumentViolation } from "../../errors/index.js";
import { readUpgradeStatus, type SymbolRules, symbolRules } from "../../reads/index.js";
import {
  classicSetHoldModePolicy,
  classicSetLeveragePolicy,
  classicSetMarginModePolicy,
  classicSetMarginPolicy,
  modifySubAccountEmailPolicy,
  setHoldModePolicy,
  setLeveragePolicy,
  upgradeAccountPolicy,
} from "../policies/accountSettings.js";
import { done } from "../policies/replies.js";
import { plan, type WriteOptions } from "../writePlan.js";
import {
  contractOf,
  type InputOf,
  mutation,
  refuse,
  refuseBroken,
  refuseClassicMargin,
  refuseMismatch,
  refuseMissing,
} from "./mutation.js";

/** A new e-mail address for a broker's sub-account. */
interface ModifySubAccountEmailInput extends WriteOptions {
  readonly subUid: string;
  readonly email: string;
}

/** Changes the address of a broker's sub-account. */
export const modifySubAccountEmail = mutation<ModifySubAccountEmailInput, null>({
  name: "modifySubAccountEmail",
  reply: done,
  plan: async (_, { subUid, email }) =>
    plan(modifySubAccountEmailPolicy, { subUid, subaccountEmail: email }, { subaccountEmail: "email" }),
});

type UpgradeAccountInput = InputOf<typeof upgradeAccountPolicy>;

/**
 * Starts the upgrade from Classic to unified, which takes about a minute. The exchange accepts it for a unified account and fails
 * later, so the mode is checked first.
 */
export const upgradeAccount = mutation<UpgradeAccountInput, null>({
  name: "upgradeAccount",
  reply: done,
  plan: async ({ reads, account }, { subUid }) => {
    const argument = subUid === undefined ? "account" : "subUid";
    const isUnified =
      subUid === undefined
        ? (await reads.modeOf(account)) === "UNIFIED"
        : (await readUpgradeStatus(reads, account, subUid)).status === "success";
    if (isUnified) refuseMismatch(argument, "must be a Classic account: this one is already unified, or being upgraded");
    return plan(upgradeAccountPolicy, { subUid });
  },
});

/** Mutations of an account's futures settings. */

/** A new leverage, for a futures symbol or a borrowed coin. */
type SetLeverageInput = InputOf<typeof setLeveragePolicy>;

export const setLeverage = mutation<SetLeverageInput, null>({
  name: "setLeverage",
  reply: done,
  plan: async ({ reads, account }, { category, symbol, coin, leverage, posSide }) => {
    const mode = await reads.modeOf(account);
    if (category === "MARGIN") {
      if (mode === "CLASSIC") refuseClassicMargin();
      refuseBroken(notGiven({ symbol, posSide }, "on MARGIN, where each coin has one leverage"));
      return plan(setLeveragePolicy, { category, coin, leverage }, {}, () => leverageOutOfRange(leverage, undefined));
    }
    refuseBroken(notGiven({ coin }, "for a futures category, where each symbol has a leverage"));
    if (symbol === undefined) refuse("symbol", "must be given for a futures category");
    const rules = await symbolRules(reads, mode, category, symbol);
    const contract = contractOf(category, symbol, rules);
    const outOfRange = () => leverageOutOfRange(leverage, rules);
    if (mode === "UNIFIED")
      return plan(setLeveragePolicy, { category, symbol: contract.symbol, leverage, posSide }, {}, outOfRange);
    return plan(
      classicSetLeveragePolicy,
      { ...contract, leverage, holdSide: posSide },
      { productType: "category", holdSide: "posSide" },
      outOfRange,
    );
  },
});

const notGiven = (fields: Readonly<Record<string, unknown>>, why: string): ArgumentViolation[] =>
  Object.entries(fields).flatMap(([argument, value]) =>
    value === undefined ? [] : [{ argument, rule: `must not be given ${why}` }],
  );

function leverageOutOfRange(leverage: DecimalText, rules: SymbolRules | undefined): ArgumentViolation[] {
  const { maxLeverage = null } = rules ?? {};
  const minLeverage = rules?.minLeverage ?? "1";
  if (exact(leverage).lt(exact(minLeverage))) return [{ argument: "leverage", rule: `must be at least ${minLeverage}` }];
  if (maxLeverage !== null && exact(leverage).gt(exact(maxLeverage)))
    return [{ argument: "leverage", rule: `must be at most ${maxLeverage}` }];
  return [];
}

interface SetHoldModeInput extends WriteOptions {
  readonly holdMode: (typeof HOLD_MODES)[number];
  /** Classic has a mode per category, a unified account one for all. */
  readonly category?: FuturesCategory | null | undefined;
}

/** Sets the position mode. The exchange refuses while there are positions or orders. */
export const setHoldMode = mutation<SetHoldModeInput, null>({
  name: "setHoldMode",
  reply: done,
  plan: async ({ reads, account }, { holdMode, category }) => {
    if ((await reads.modeOf(account)) === "UNIFIED") {
      refuseMissing("a unified account, which has one position mode for all categories", { category });
      return plan(setHoldModePolicy, { holdMode });
    }
    if (category === undefined) refuse("category", `must be one of ${FUTURES_CATEGORIES.join(", ")} on a Classic account`);
    return plan(
      classicSetHoldModePolicy,
      { productType: category, posMode: holdMode },
      { productType: "category", posMode: "holdMode" },
    );
  },
});

/** A new margin mode of a futures symbol. */
interface SetMarginModeInput extends WriteOptions {
  readonly category: FuturesCategory;
  readonly symbol: string;
  readonly marginMode: (typeof MARGIN_MODES)[number];
}

/** Sets the margin mode of a Classic account's symbol. The exchange refuses while there are positions or orders in it. */
export const setMarginMode = mutation<SetMarginModeInput, null>({
  name: "setMarginMode",
  reply: done,
  plan: async ({ reads, account }, { category, symbol, marginMode }) => {
    if ((await reads.modeOf(account)) === "UNIFIED")
      refuseMismatch("account", "must be a Classic account: the exchange has no such call for unified accounts");
    const rules = await symbolRules(reads, "CLASSIC", category, symbol);
    const contract = contractOf(category, symbol, rules);
    return plan(classicSetMarginModePolicy, { ...contract, marginMode }, { productType: "category" });
  },
});

/** Margin to add to, or remove from, an isolated position. */
interface AdjustPositionMarginInput extends WriteOptions {
  readonly category: FuturesProductType;
  readonly symbol: string;
  readonly posSide: (typeof POSITION_SIDES)[number];
  /** In margin coin; negative to remove. */
  readonly amount: DecimalText;
  readonly marginCoin?: string | null | undefined;
}

/** Adds margin to an isolated position, or removes some. */
export const adjustPositionMargin = mutation<AdjustPositionMarginInput, null>({
  name: "adjustPositionMargin",
  reply: done,
  plan: async ({ reads, account }, { category, symbol, posSide, amount, marginCoin }) => {
    if ((await reads.modeOf(account)) === "UNIFIED")
      refuseMismatch("account", "must be a Classic account: on a unified account margin cannot be moved");
    const rules = await symbolRules(reads, "CLASSIC", category, symbol);
    const contract = contractOf(category, symbol, rules);
    return plan(
      classicSetMarginPolicy,
      { ...contract, marginCoin: marginCoin ?? contract.marginCoin, holdSide: posSide, amount },
      { productType: "category", holdSide: "posSide" },
    );
  },
});
