import { Field } from "type-graphql";
import { RecordType } from "./record.js";
import { Decimal } from "./scalars.js";

@RecordType("One coin in a unified account")
export class UnifiedAsset {
  @Field(() => String, { description: "Coin, for example `USDT`" })
  readonly coin!: string;

  @Field(() => Decimal, { description: "Balance with frozen margin and unrealised profit and loss, in the coin" })
  readonly equity!: string;

  @Field(() => Decimal, { nullable: true, description: "The equity in USD, as the exchange values it" })
  readonly usdValue!: string | null;

  @Field(() => Decimal, { description: "Balance, in the coin" })
  readonly balance!: string;

  @Field(() => Decimal, { description: "Free to use, in the coin" })
  readonly available!: string;

  @Field(() => Decimal, { nullable: true, description: "Owed, in the coin" })
  readonly debt!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Locked, in the coin" })
  readonly locked!: string | null;
}

@RecordType("Equity and margin of a unified account as a whole")
export class UnifiedAssets {
  @Field(() => Decimal, { description: "Equity of the account, in USD" })
  readonly accountEquity!: string;

  @Field(() => Decimal, { nullable: true, description: "Equity of the account, in USDT" })
  readonly usdtEquity!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Equity of the account, in BTC" })
  readonly btcEquity!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Unrealised profit and loss, in USD" })
  readonly unrealisedPnl!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Unrealised profit and loss, in USDT" })
  readonly usdtUnrealisedPnl!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Unrealised profit and loss, in BTC; the exchange spells it `btcUnrealizedPnl`",
  })
  readonly btcUnrealisedPnl!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Equity that counts as margin, in USD" })
  readonly effEquity!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Maintenance margin, in USD" })
  readonly mmr!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Initial margin, in USD" })
  readonly imr!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Maintenance margin over equity, open orders included, as a fraction: at 1 the account is liquidated",
  })
  readonly mgnRatio!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Maintenance margin of the positions over equity, as a fraction" })
  readonly positionMgnRatio!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Value of the positions, in USD" })
  readonly positionValue!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Value of the positions over equity" })
  readonly leverage!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Trading bonus, in USD" })
  readonly bonus!: string | null;

  @Field(() => [UnifiedAsset], { description: "The coins that are not zero" })
  readonly assets!: readonly UnifiedAsset[];
}
