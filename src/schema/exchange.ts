import { Field, Int } from "type-graphql";
import { AccountMode } from "./enums/account.js";
import { BreakerState, SocketState } from "./enums/exchange.js";
import { TradingHalt } from "./halt.js";
import { RecordType } from "./record.js";
import { DateTime, Decimal } from "./scalars.js";

@RecordType("One of the exchange's rate limits as a budget")
class RateBudget {
  @Field(() => String, {
    description: "The endpoint, by this gateway's name for it; `(all)` for the limit of all calls from the gateway's address",
  })
  readonly endpoint!: string;

  @Field(() => String, { description: "Who the calls are counted for: an account's name, or `IP` for the gateway's address" })
  readonly counter!: string;

  @Field(() => Int, { description: "Calls allowed within one window" })
  readonly limit!: number;

  @Field(() => Int, { description: "Length of the window, in milliseconds" })
  readonly windowMs!: number;

  @Field(() => Int, { description: "Calls that could leave right now" })
  readonly left!: number;

  @Field(() => Int, { description: "Calls that wait for their turn. Those that wait for `(all)` wait at their endpoint" })
  readonly waiting!: number;
}

@RecordType("A counter of the exchange that somebody else spends too: another gateway with the same keys, for example")
class SharedCounter {
  @Field(() => String, { description: "Who the calls are counted for: an account's name, or `IP` for the gateway's address" })
  readonly counter!: string;

  @Field(() => Decimal, { description: "The part of each of its limits that is used here, as a fraction" })
  readonly share!: string;

  @Field(() => DateTime, { description: "When that somebody was last noticed" })
  readonly noticedAt!: number;
}

@RecordType("An endpoint that is not in order")
class CircuitBreaker {
  @Field(() => String, { description: "The endpoint, by this gateway's name for it" })
  readonly endpoint!: string;

  @Field(() => String, { nullable: true, description: "The account whose calls it is about; null where the endpoint is public" })
  readonly account!: string | null;

  @Field(() => BreakerState, { description: "Whether calls to it pass" })
  readonly state!: BreakerState;
}

@RecordType("How well the shared cache does, since the gateway started")
export class CacheUse {
  @Field(() => Decimal, { description: "Reads that the cache answered" })
  readonly hits!: string;

  @Field(() => Decimal, { description: "Reads of cacheable answers that it could not answer" })
  readonly misses!: string;

  @Field(() => Decimal, {
    nullable: true,
    description: "Share of the reads that the cache answered, as a fraction with four decimals; null before the first",
  })
  readonly hitRatio!: string | null;
}

@RecordType("What is open of one kind of stream at the exchange, lingering topics included")
export class OpenStream {
  @Field(() => String, { description: "The kind of stream, by the name of the subscription that it feeds" })
  readonly stream!: string;

  @Field(() => Int, { description: "Topics that are open: symbols, or accounts" })
  readonly topics!: number;

  @Field(() => Int, { description: "Those of them that show the present; the others are still coming up, or interrupted" })
  readonly live!: number;
}

@RecordType("A connection to the exchange's streams")
class StreamSocket {
  @Field(() => String, { description: "The exchange's interface that it speaks: `v2` or `v3`" })
  readonly generation!: string;

  @Field(() => String, { nullable: true, description: "Whose private streams it carries; null for public ones" })
  readonly account!: string | null;

  @Field(() => SocketState, { description: "How far it is" })
  readonly state!: SocketState;

  @Field(() => Int, { description: "Channels that it is there for" })
  readonly topics!: number;
}

@RecordType("What is known about an account without asking the exchange")
class KnownAccount {
  @Field(() => String, { description: "The account's name in this gateway" })
  readonly name!: string;

  @Field(() => AccountMode, { nullable: true, description: "Its generation; null as long as nobody has asked" })
  readonly mode!: AccountMode | null;
}

@RecordType("How things stand between this gateway and the exchange: what an operator looks at. Asking costs no call")
export class Exchange {
  @Field(() => DateTime, { description: "The exchange's time, as estimated from its answers" })
  readonly time!: number;

  @Field(() => Decimal, {
    nullable: true,
    description: "The exchange's clock minus ours, in milliseconds, however far apart they are; null before its first answer",
  })
  readonly clockOffsetMs!: string | null;

  @Field(() => [KnownAccount], { description: "The configured accounts and what is known of them" })
  readonly accounts!: readonly KnownAccount[];

  @Field(() => [TradingHalt], { description: "Halts of trading that hold" })
  readonly halts!: readonly TradingHalt[];

  @Field(() => [RateBudget], {
    description: "The limit of all calls together, and each of an endpoint that has been used, with what is left of it",
  })
  readonly budgets!: readonly RateBudget[];

  @Field(() => [SharedCounter], {
    description:
      "Counters that somebody else spends too, as the exchange's own count shows. A part of their limits is left unused",
  })
  readonly sharedCounters!: readonly SharedCounter[];

  @Field(() => [CircuitBreaker], { description: "Endpoints whose circuit breaker is not closed" })
  readonly breakers!: readonly CircuitBreaker[];

  @Field(() => CacheUse, { description: "Use of the shared cache" })
  readonly cache!: CacheUse;

  @Field(() => [OpenStream], { description: "Streams that are open, by their kind" })
  readonly streams!: readonly OpenStream[];

  @Field(() => [StreamSocket], { description: "The connections that carry them" })
  readonly connections!: readonly StreamSocket[];
}
