import { Field, InputType, Int } from "type-graphql";
import { Cost } from "../cost.js";
import { TradingHalt } from "../halt.js";
import { halts } from "../listLengths.js";
import { RecordType } from "../record.js";
import { WritePayload } from "./write.js";

@InputType({ description: "Which trading to halt. Give either `account` or `allAccounts: true`" })
export class HaltTradingInput {
  @Field(() => String, { nullable: true, description: "Name of the account in this gateway" })
  readonly account?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: "Halt every account; needs the scope for all accounts. Default: false",
  })
  readonly allAccounts?: boolean | null;

  @Field(() => String, { nullable: true, description: "Why, for those who are refused: at most 200 printable characters" })
  readonly reason?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      "Also cancel every open order, including those being sent. Take-profits, stop-losses and trailing stops of positions stay. Default: false",
  })
  readonly cancelOpen?: boolean | null;
}

@InputType({ description: "Which halt to end. Give either `account` or `allAccounts: true`" })
export class ResumeTradingInput {
  @Field(() => String, { nullable: true, description: "Name of the account in this gateway: ends its own halt" })
  readonly account?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: "End the halt of all accounts; those that are halted by name stay halted. Default: false",
  })
  readonly allAccounts?: boolean | null;
}

@RecordType("An order that may still be open")
class CancelFailure {
  @Field(() => String, { description: "The account's name in this gateway" })
  readonly accountName!: string;

  @Field(() => String, {
    nullable: true,
    description: "The exchange's identifier; null where the account's open orders could not be read",
  })
  readonly orderId!: string | null;

  @Field(() => String, { nullable: true, description: "Its symbol; null where the open orders could not be read" })
  readonly symbol!: string | null;

  @Field(() => String, { description: "Why it was not cancelled" })
  readonly message!: string;
}

@RecordType("Trading that was halted", { implements: WritePayload })
export class HaltTradingPayload extends WritePayload {
  @Cost({ rows: halts })
  @Field(() => [TradingHalt], { description: "The halts that hold now, of the accounts that the scope is granted for" })
  readonly halts!: readonly TradingHalt[];

  @Field(() => Boolean, {
    description: "Will it hold after a restart? False where it could not be stored: it holds until the process ends",
  })
  readonly isDurable!: boolean;

  @Field(() => Int, {
    nullable: true,
    description: "Open orders that were cancelled, or had ended by themselves; null unless `cancelOpen`",
  })
  readonly cancelled!: number | null;

  @Cost({ rows: 500 })
  @Field(() => [CancelFailure], { description: "Orders that may still be open; empty unless `cancelOpen`" })
  readonly cancelFailures!: readonly CancelFailure[];
}

@RecordType("Trading that was resumed", { implements: WritePayload })
export class ResumeTradingPayload extends WritePayload {
  @Cost({ rows: halts })
  @Field(() => [TradingHalt], { description: "The halts that still hold, of the accounts that the scope is granted for" })
  readonly halts!: readonly TradingHalt[];

  @Field(() => Boolean, {
    description: "Will it hold after a restart? False where it could not be stored: then the halt is back after a restart",
  })
  readonly isDurable!: boolean;
}
