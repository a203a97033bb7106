import { fundingBalance } from "@exchange-graph/contract/asset";
import { Field } from "type-graphql";
import { Account } from "./account.js";
import { Node } from "./node.js";
import { RecordType, recordOf } from "./record.js";
import { DateTime, Decimal } from "./scalars.js";

@RecordType("Balance of one coin for trading: of a unified account, or of a Classic spot account", {
  implements: Node,
})
export class Balance {
  @Field(() => Account, { description: "The account that holds it" })
  readonly account!: Account;

  @Field(() => String, { description: "Coin, for example `USDT`" })
  readonly coin!: string;

  @Field(() => Decimal, {
    nullable: true,
    description: "With frozen margin and unrealised profit and loss, in the coin; on Classic spot the balance itself",
  })
  readonly equity!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Balance, in the coin; on Classic spot what is available, frozen and locked together",
  })
  readonly balance!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Free to use, in the coin" })
  readonly available!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Held back for open orders, in the coin; Classic only" })
  readonly frozen!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Locked, in the coin" })
  readonly locked!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Owed, in the coin; unified accounts only" })
  readonly debt!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "The equity in USD, as the exchange values it; unified accounts only (`usdValue`)",
  })
  readonly valueUsd!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Free for spot copy trading only, in the coin; Classic only" })
  readonly limitAvailable!: string | null;

  @Field(() => DateTime, { nullable: true, description: "Last update (the exchange's `uTime`); Classic only" })
  readonly updatedTime!: number | null;
}

@RecordType("One coin in the funding account beside a unified account", { implements: Node })
export class FundingBalance extends recordOf(fundingBalance) {
  @Field(() => Account, { description: "The account that holds it" })
  readonly account!: Account;
}
