import { Field } from "type-graphql";
import { Cost } from "./cost.js";
import { accountCoins } from "./listLengths.js";
import { RecordType } from "./record.js";
import { Decimal } from "./scalars.js";

@RecordType("One coin in a unified account")
export class UnifiedAsset {
  @Field(() => String, { description: "Coin, for example `USDT`" })
  readonly coin!: string;

  @Field(() => Decimal, { nullable: true, description: "Balance with frozen margin and unrealised profit and loss, in the coin" })
  readonly equity!: string | null;

  @Field(() => Decimal, { nullable: true, description: "The equity in USD, as the exchange values it (`usdValue`)" })
  readonly valueUsd!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Balance, in the coin" })
  readonly balance!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Free to use, in the coin" })
  readonly available!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Owed, in the coin" })
  readonly debt!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Locked, in the coin" })
  readonly locked!: string | null;
}

@RecordType("Equity and margin of a unified account as a whole")
export class UnifiedAssets {
  @Field(() => Decimal, { nullable: true, description: "Equity of the account, in USD (`accountEquity`)" })
  readonly equityUsd!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Equity of the account, in USDT (`usdtEquity`)" })
  readonly equityUsdt!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Equity of the account, in BTC (`btcEquity`)" })
  readonly equityBtc!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Unrealised profit and loss, in USD (`unrealisedPnl`)" })
  readonly unrealisedPnlUsd!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Unrealised profit and loss, in USDT (`usdtUnrealisedPnl`)" })
  readonly unrealisedPnlUsdt!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Unrealised profit and loss, in BTC; the exchange spells it `btcUnrealisedPnl` and `btcUnrealizedPnl`",
  })
  readonly unrealisedPnlBtc!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Equity that counts as margin, in USD (`effEquity`)" })
  readonly effectiveEquityUsd!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Maintenance margin, in USD (`mmr`)" })
  readonly maintenanceMarginUsd!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Initial margin, in USD (`imr`)" })
  readonly initialMarginUsd!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description:
      "Maintenance margin over equity, open orders included, as a fraction: at 1 the account is liquidated (`mgnRatio`)",
  })
  readonly marginRatio!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Maintenance margin of the positions over equity, as a fraction (`positionMgnRatio`)",
  })
  readonly positionMarginRatio!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Value of the positions, in USD (`positionValue`)" })
  readonly positionValueUsd!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Value of the positions over equity" })
  readonly leverage!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Trading bonus, in USD (`bonus`)" })
  readonly bonusUsd!: string | null;

  @Cost({ rows: accountCoins })
  @Field(() => [UnifiedAsset], { nullable: "items", description: "The coins that are not zero" })
  readonly assets!: readonly (UnifiedAsset | Error)[];
}
