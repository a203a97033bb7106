import { Field, Int } from "type-graphql";
import { Cost } from "./cost.js";
import { AccountMode } from "./enums/account.js";
import { BreakerState, SocketState } from "./enums/exchange.js";
import { TradingHalt } from "./halt.js";
import { accounts, halts, own } from "./listLengths.js";
import { RecordType } from "./record.js";
import { DateTime, Decimal } from "./scalars.js";

@RecordType("One of the exchange's rate limits as a budget")
class RateBudget {
  @Field(() => String, {
    description: "The endpoint, by this gateway's name for it; `(all)` for the limit of all calls from the gateway's address",
  })
  readonly endpoint!: string;

  @Field(() => String, { description: "What the calls are counted by: an account's name, or `IP` for the gateway's address" })
  readonly counter!: string;

  @Field(() => Int, { description: "Calls allowed within one window" })
  readonly limit!: number;

  @Field(() => Int, { description: "Length of the window, in milliseconds" })
  readonly windowMs!: number;

  @Field(() => Int, { description: "Calls that could be sent now" })
  readonly left!: number;

  @Field(() => Int, { description: "Calls that wait for their turn. Those that wait for `(all)` wait at their endpoint" })
  readonly waiting!: number;
}

@RecordType("A rate-limit counter of the exchange that another client spends too, for example another gateway with the same keys")
class SharedCounter {
  @Field(() => String, { description: "What the calls are counted by: an account's name, or `IP` for the gateway's address" })
  readonly counter!: string;

  @Field(() => Decimal, { description: "Share of each of its limits that this gateway uses, as a fraction" })
  readonly share!: string;

  @Field(() => DateTime, { description: "When the other client was last noticed" })
  readonly noticedAt!: number;
}

@RecordType("A circuit breaker that is not closed")
class CircuitBreaker {
  @Field(() => String, { description: "The endpoint, by this gateway's name for it" })
  readonly endpoint!: string;

  @Field(() => String, { nullable: true, description: "The account whose calls it is about; null where the endpoint is public" })
  readonly account!: string | null;

  @Field(() => BreakerState, { description: "State of the breaker: whether calls are sent" })
  readonly state!: BreakerState;
}

@RecordType("Use of the shared cache since the gateway started")
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

@RecordType("Open topics of one kind of stream at the exchange, including those kept for a while after their last listener")
export class OpenStream {
  @Field(() => String, { description: "The kind of stream, by the name of the subscription that it feeds" })
  readonly stream!: string;

  @Field(() => Int, { description: "Topics that are open: symbols, or accounts" })
  readonly topics!: number;

  @Field(() => Int, { description: "Topics that are up to date; the others are starting or interrupted" })
  readonly live!: number;
}

@RecordType("A connection to the exchange's streams")
class StreamSocket {
  @Field(() => String, { description: "Version of the exchange's interface: `v2` or `v3`" })
  readonly apiVersion!: string;

  @Field(() => String, { nullable: true, description: "Account whose private streams it carries; null for public streams" })
  readonly account!: string | null;

  @Field(() => SocketState, { description: "State of the connection" })
  readonly state!: SocketState;

  @Field(() => Int, { description: "Number of channels that it carries" })
  readonly topics!: number;
}

@RecordType("A kind of an account's state, or of market data, that is kept live, so that queries are answered from it")
export class LiveState {
  @Field(() => String, { description: "The kind, by the name of the subscription that shows it" })
  readonly stream!: string;

  @Field(() => [String], { description: "Accounts for which it is kept open because it is read often" })
  readonly accounts!: readonly string[];

  @Field(() => [String], {
    description:
      "Symbols for which it is kept open because it is read often: category and symbol, with the interval or the depth",
  })
  readonly symbols!: readonly string[];

  @Field(() => Decimal, { description: "Calls that were saved: reads that it has answered" })
  readonly answered!: string;

  @Field(() => Decimal, { description: "Reads that it could not answer, and that went to the cache or the exchange" })
  readonly missed!: string;
}

@RecordType("What is known about an account without an upstream call")
class KnownAccount {
  @Field(() => String, { description: "The account's name in this gateway" })
  readonly name!: string;

  @Field(() => AccountMode, { nullable: true, description: "Account mode; null until it has been read" })
  readonly mode!: AccountMode | null;
}

@RecordType("State of the connection between this gateway and the exchange, for operators. No upstream call")
export class Exchange {
  @Field(() => DateTime, { description: "The exchange's time, as estimated from its answers" })
  readonly time!: number;

  @Field(() => Decimal, {
    nullable: true,
    description: "The exchange's clock minus the gateway's, in milliseconds; null before the first answer",
  })
  readonly clockOffsetMs!: string | null;

  @Cost({ rows: accounts })
  @Field(() => [KnownAccount], { description: "The configured accounts and what is known of them" })
  readonly accounts!: readonly KnownAccount[];

  @Cost({ rows: halts })
  @Field(() => [TradingHalt], { description: "Halts of trading that are in force" })
  readonly halts!: readonly TradingHalt[];

  @Cost({ rows: own("budgets") })
  @Field(() => [RateBudget], {
    description: "The limit of all calls together, and each of an endpoint that has been used, with what is left of it",
  })
  readonly budgets!: readonly RateBudget[];

  @Cost({ rows: own("sharedCounters") })
  @Field(() => [SharedCounter], {
    description:
      "Rate-limit counters that another client spends too, as the exchange's own count shows. Part of their limits is left unused",
  })
  readonly sharedCounters!: readonly SharedCounter[];

  @Cost({ rows: own("breakers") })
  @Field(() => [CircuitBreaker], { description: "Endpoints whose circuit breaker is not closed" })
  readonly breakers!: readonly CircuitBreaker[];

  @Field(() => CacheUse, { description: "Use of the shared cache" })
  readonly cache!: CacheUse;

  @Cost({ rows: 10 })
  @Field(() => [OpenStream], { description: "Streams that are open, by their kind" })
  readonly streams!: readonly OpenStream[];

  @Cost({ rows: 4 })
  @Field(() => [LiveState], { description: "State that queries are answered from, by its kind. See `LIVE_ACCOUNTS`" })
  readonly live!: readonly LiveState[];

  @Cost({ rows: own("connections") })
  @Field(() => [StreamSocket], { description: "Connections to the exchange's streams" })
  readonly connections!: readonly StreamSocket[];
}
