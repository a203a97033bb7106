import { Arg, Ctx, FieldResolver, Mutation, Resolver, Root } from "type-graphql";
import { rowWhere } from "../../datasources/index.js";
import { isFuturesCategory, readFuturesSettings, readPositions } from "../../datasources/reads/index.js";
import { adjustPositionMargin, setHoldMode, setLeverage, setMarginMode } from "../../datasources/writes/index.js";
import { FuturesSettings } from "../../schema/account.js";
import { Cost } from "../../schema/cost.js";
import { FuturesCategoryInput, FuturesProductType } from "../../schema/enums/category.js";
import { HoldMode, HoldModeInput, MarginModeInput, PositionSideInput } from "../../schema/enums/position.js";
import { LeverageCategory } from "../../schema/enums/write.js";
import { decimal, of, text } from "../../schema/fields.js";
import { WriteInput, WritePayload } from "../../schema/mutations/write.js";
import { Position } from "../../schema/position.js";
import { extended, Input, RecordType } from "../../schema/record.js";
import { RequiresScope } from "../../schema/requiresScope.js";
import { type AccountScoped, foundWithAccount } from "../accountScoped.js";
import type { RequestContext } from "../context.js";
import { futuresSettings, WRITE } from "../fieldCosts.js";
import { Audited } from "./observeMutations.js";
import { type WrittenPayload, write } from "./write.js";

const SYMBOL = "Symbol name, for example `BTCUSDT`; letter case does not matter";

@Input("Margin to put into an isolated position, or to take out of it. Classic accounts only")
export class AdjustPositionMarginInput extends extended(WriteInput, {
  category: of(FuturesProductType)("Futures category of the position, or its demo twin (`productType`)"),
  symbol: text(SYMBOL),
  posSide: of(PositionSideInput)("Which position (`holdSide`)"),
  amount: decimal("In margin coin: positive to put in, negative to take out"),
  marginCoin: text.optional("Margin coin in capitals. Default: the contract's own"),
}) {}

@RecordType("An isolated position whose margin was changed", { implements: WritePayload })
export class AdjustPositionMarginPayload extends WritePayload {}

@Input("The leverage of a futures symbol, or of a coin that is borrowed")
export class SetLeverageInput extends extended(WriteInput, {
  category: of(LeverageCategory)("Where leverage is to be set"),
  symbol: text.optional(`${SYMBOL}. Required for futures`),
  coin: text.optional("Coin, for example `USDT`. Required for MARGIN"),
  leverage: decimal("Leverage, for example `20`"),
  posSide: of(PositionSideInput).optional("With isolated margin: which of the two positions"),
}) {}

@RecordType("Leverage that was set", { implements: WritePayload })
export class SetLeveragePayload extends extended(WritePayload, {
  leverage: decimal.orNull("Leverage after the write; null unless accepted"),
}) {}

@Input("The position mode of futures. It cannot change while there are positions or orders")
export class SetHoldModeInput extends extended(WriteInput, {
  holdMode: of(HoldModeInput)("Position mode (Classic: `posMode`)"),
  category: of(FuturesCategoryInput).optional(
    "Required on a Classic account, which has a mode per category; a unified account has one for all",
  ),
}) {}

@RecordType("A position mode that was set", { implements: WritePayload })
export class SetHoldModePayload extends extended(WritePayload, {
  holdMode: of(HoldMode).orNull("Position mode after the write; null unless accepted"),
}) {}

@Input("The margin mode of a futures symbol. It cannot change while there are positions or orders in it. Classic accounts only")
export class SetMarginModeInput extends extended(WriteInput, {
  category: of(FuturesCategoryInput)("Futures category of the symbol (`productType`)"),
  symbol: text(SYMBOL),
  marginMode: of(MarginModeInput)("Margin mode"),
}) {}

@RecordType("A margin mode that was set", { implements: WritePayload })
export class SetMarginModePayload extends WritePayload {}

const INPUT = "The setting, and the options of the write";

@Resolver()
export class SettingsMutations {
  @RequiresScope("trade", "input", "account")
  @Cost(WRITE)
  @Audited("category", "symbol", "amount")
  @Mutation(() => AdjustPositionMarginPayload, {
    description:
      "Adds margin to an isolated position, or removes some. A lost answer cannot be looked up and stays UNKNOWN. Classic accounts only. Source: POST /api/v2/mix/account/set-margin",
  })
  adjustPositionMargin(
    @Arg("input", () => AdjustPositionMarginInput, { description: INPUT }) input: AdjustPositionMarginInput,
    @Ctx() context: RequestContext,
  ): Promise<WrittenPayload<AdjustPositionMarginPayload>> {
    return write(context, input, adjustPositionMargin, () => ({ input }));
  }

  @RequiresScope("trade", "input", "account")
  @Cost(WRITE)
  @Audited("category", "symbol", "coin")
  @Mutation(() => SetLeveragePayload, {
    description:
      "Sets the leverage of a futures symbol, or of a borrowed coin. Source: POST /api/v3/account/set-leverage, or POST /api/v2/mix/account/set-leverage",
  })
  async setLeverage(
    @Arg("input", () => SetLeverageInput, { description: INPUT }) input: SetLeverageInput,
    @Ctx() context: RequestContext,
  ): Promise<WrittenPayload<SetLeveragePayload>> {
    const written = await write(context, input, setLeverage, () => ({}));
    return { ...written, leverage: written.outcome === "ACCEPTED" ? input.leverage : null };
  }

  @RequiresScope("trade", "input", "account")
  @Cost(WRITE)
  @Audited("category")
  @Mutation(() => SetHoldModePayload, {
    description:
      "Sets the position mode of futures. Source: POST /api/v3/account/set-hold-mode, or POST /api/v2/mix/account/set-position-mode",
  })
  async setHoldMode(
    @Arg("input", () => SetHoldModeInput, { description: INPUT }) input: SetHoldModeInput,
    @Ctx() context: RequestContext,
  ): Promise<WrittenPayload<SetHoldModePayload>> {
    const written = await write(context, input, setHoldMode, () => ({}));
    return { ...written, holdMode: written.outcome === "ACCEPTED" ? input.holdMode : null };
  }

  @RequiresScope("trade", "input", "account")
  @Cost(WRITE)
  @Audited("category", "symbol")
  @Mutation(() => SetMarginModePayload, {
    description:
      "Sets the margin mode of a futures symbol. Classic accounts only. Source: POST /api/v2/mix/account/set-margin-mode",
  })
  setMarginMode(
    @Arg("input", () => SetMarginModeInput, { description: INPUT }) input: SetMarginModeInput,
    @Ctx() context: RequestContext,
  ): Promise<WrittenPayload<SetMarginModePayload>> {
    return write(context, input, setMarginMode, () => ({ input }));
  }
}

type Adjusted = WrittenPayload<AdjustPositionMarginPayload & { readonly input: AdjustPositionMarginInput }>;

@Resolver(() => AdjustPositionMarginPayload)
export class AdjustedPositionResolver {
  @RequiresScope("read:account")
  @Cost({ calls: 1 })
  @FieldResolver(() => Position, {
    nullable: true,
    description:
      "The position after the write; null unless that was accepted, and for a demo twin. Source: as `account.positions`",
  })
  async position(
    @Root() { outcome, account, input: { category, symbol, posSide } }: Adjusted,
    @Ctx() { reads }: RequestContext,
  ): Promise<AccountScoped<Omit<Position, "account">> | null> {
    if (outcome !== "ACCEPTED" || account === undefined || !isFuturesCategory(category)) return null;
    const positions = await readPositions(reads, account, { category, symbol });
    const found = rowWhere(positions, (one) => one.posSide === posSide);
    return foundWithAccount(account, found);
  }
}

@Resolver(() => SetMarginModePayload)
export class MarginModeResolver {
  @RequiresScope("read:account")
  @Cost(futuresSettings)
  @FieldResolver(() => FuturesSettings, {
    nullable: true,
    description: "The symbol's settings after the write; null unless that was accepted. Source: as `account.futuresSettings`",
  })
  async futuresSettings(
    @Root()
    {
      outcome,
      account,
      input: { category, symbol },
    }: WrittenPayload<SetMarginModePayload & { readonly input: SetMarginModeInput }>,
    @Ctx() { reads }: RequestContext,
  ): Promise<FuturesSettings | null> {
    if (outcome !== "ACCEPTED" || account === undefined) return null;
    return readFuturesSettings(reads, account, { category, symbol });
  }
}
