import { rowWhere } from "../../datasources/index.js";
import { isFuturesCategory, readFuturesSettings, readPositions } from "../../datasources/reads/index.js";
import { adjustPositionMargin, setHoldMode, setLeverage, setMarginMode } from "../../datasources/writes/index.js";
import { FuturesSettings } from "../../schema/futuresSettings.js";
import {
  AdjustPositionMarginInput,
  AdjustPositionMarginPayload,
  SetHoldModeInput,
  SetHoldModePayload,
  SetLeverageInput,
  SetLeveragePayload,
  SetMarginModeInput,
  SetMarginModePayload,
} from "../../schema/mutations/settings.js";
import { Position } from "../../schema/position.js";
import { withAccount } from "../accountScoped.js";
import { futuresSettings, WRITE } from "../fieldCosts.js";
import { accountField, mutation, resolversOf } from "../fieldTable.js";
import { type Written, write } from "./write.js";

const INPUT = "The setting, and the options of the write";

export const SettingsMutations = resolversOf(null, {
  adjustPositionMargin: mutation("trade", AdjustPositionMarginPayload, {
    description:
      "Adds margin to an isolated position, or removes some. A lost answer cannot be looked up and stays UNKNOWN. Classic accounts only. Source: POST /api/v2/mix/account/set-margin",
    cost: WRITE,
    input: AdjustPositionMarginInput,
    says: INPUT,
    audits: ["category", "symbol", "amount"],
    resolve: (context, input) => write(context, input, adjustPositionMargin, () => ({ input })),
  }),
  setLeverage: mutation("trade", SetLeveragePayload, {
    description:
      "Sets the leverage of a futures symbol, or of a borrowed coin. Source: POST /api/v3/account/set-leverage, or POST /api/v2/mix/account/set-leverage",
    cost: WRITE,
    input: SetLeverageInput,
    says: INPUT,
    audits: ["category", "symbol", "coin"],
    resolve: async (context, input) => {
      const written = await write(context, input, setLeverage, () => ({}));
      return { ...written, leverage: written.outcome === "ACCEPTED" ? input.leverage : null };
    },
  }),
  setHoldMode: mutation("trade", SetHoldModePayload, {
    description:
      "Sets the position mode of futures. Source: POST /api/v3/account/set-hold-mode, or POST /api/v2/mix/account/set-position-mode",
    cost: WRITE,
    input: SetHoldModeInput,
    says: INPUT,
    audits: ["category"],
    resolve: async (context, input) => {
      const written = await write(context, input, setHoldMode, () => ({}));
      return { ...written, holdMode: written.outcome === "ACCEPTED" ? input.holdMode : null };
    },
  }),
  setMarginMode: mutation("trade", SetMarginModePayload, {
    description:
      "Sets the margin mode of a futures symbol. Classic accounts only. Source: POST /api/v2/mix/account/set-margin-mode",
    cost: WRITE,
    input: SetMarginModeInput,
    says: INPUT,
    audits: ["category", "symbol"],
    resolve: (context, input) => write(context, input, setMarginMode, () => ({ input })),
  }),
});

type Adjusted = Written<AdjustPositionMarginPayload & { readonly input: AdjustPositionMarginInput }>;

export const AdjustedPositionResolver = resolversOf(AdjustPositionMarginPayload, {
  position: accountField.orNull(Position, {
    description:
      "The position after the write; null unless that was accepted, and for a demo twin. Source: as `account.positions`",
    cost: { calls: 1 },
    resolve: async ({ outcome, account, input: { category, symbol, posSide } }: Adjusted, { reads }) => {
      if (outcome !== "ACCEPTED" || account === undefined || !isFuturesCategory(category)) return null;
      const positions = await readPositions(reads, account, { category, symbol });
      const position = rowWhere(positions, (one) => one.posSide === posSide);
      return position === null ? null : withAccount(account, position);
    },
  }),
});

export const MarginModeResolver = resolversOf(SetMarginModePayload, {
  futuresSettings: accountField.orNull(FuturesSettings, {
    description: "The symbol's settings after the write; null unless that was accepted. Source: as `account.futuresSettings`",
    cost: futuresSettings,
    resolve: async (
      { outcome, account, input: { category, symbol } }: Written<SetMarginModePayload & { readonly input: SetMarginModeInput }>,
      { reads },
    ) => {
      if (outcome !== "ACCEPTED" || account === undefined) return null;
      return readFuturesSettings(reads, account, { category, symbol });
    },
  }),
});
