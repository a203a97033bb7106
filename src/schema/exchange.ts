import { AccountMode } from "./enums/account.js";
import { BreakerState, SocketState, UnprovenReason } from "./enums/exchange.js";
import { count, decimal, integer, listOf, of, text, texts, time } from "./fields.js";
import { accounts, halts, own } from "./listLengths.js";
import { fieldsOf, RecordType } from "./record.js";

@RecordType("A halt of trading: only writes that reduce risk are sent")
export class TradingHalt extends fieldsOf({
  account: text.orNull(
    "The halted account's name in this gateway; null: all accounts. Two accounts of one user of the exchange are halted together",
  ),
  startTime: time("When it began, by the exchange's clock"),
  by: text.orNull("Name of the client that ordered it; null for a client without a name"),
  reason: text.orNull("Reason that the client gave; null if none"),
}) {}

@RecordType("One of the exchange's rate limits as a budget")
class RateBudget extends fieldsOf({
  endpoint: text("The endpoint, by its name in this gateway; `(all)` for the limit of all calls from the gateway's address"),
  counter: text("Key of the limit: an account's name, or `IP` for the gateway's address"),
  limit: integer("Calls allowed within one window"),
  windowMs: integer("Length of the window, in milliseconds"),
  left: integer("Calls that could be sent now"),
  waiting: integer("Calls in the queue. Those that wait for `(all)` are counted at their endpoint"),
}) {}

@RecordType("A rate-limit counter of the exchange that another client uses too, for example another gateway with the same keys")
class SharedCounter extends fieldsOf({
  counter: text("Key of the limit: an account's name, or `IP` for the gateway's address"),
  share: decimal("Share of each of its limits that this gateway uses, as a fraction"),
  noticedTime: time("When the other client was last detected"),
}) {}

@RecordType("A circuit breaker that is not closed")
class CircuitBreaker extends fieldsOf({
  endpoint: text("The endpoint, by its name in this gateway"),
  account: text.orNull("The account of the calls; null if the endpoint is public"),
  status: of(BreakerState)("State of the breaker"),
}) {}

@RecordType("Use of the shared cache since the gateway started")
export class CacheUse extends fieldsOf({
  hits: count("Number of reads that the cache answered"),
  misses: count("Number of reads of cacheable answers that it did not have"),
  hitRatio: decimal.orNull("Share of the reads that the cache answered, as a fraction with four decimals; null before the first"),
}) {}

@RecordType(
  "Open topics of one kind of stream at the exchange, including those that stay open for a while after their last listener",
)
export class OpenStream extends fieldsOf({
  stream: text("The kind of stream, by the name of the subscription that it feeds"),
  topics: integer("Topics that are open: symbols, or accounts"),
  live: integer("Topics that are up to date; the others are starting or interrupted"),
}) {}

@RecordType("A connection to the exchange's streams")
class StreamSocket extends fieldsOf({
  apiVersion: text("Version of the exchange's interface: `v2` or `v3`"),
  account: text.orNull("Account whose private streams it carries; null for public streams"),
  status: of(SocketState)("State of the connection"),
  topics: integer("Number of channels that it carries"),
}) {}

@RecordType("A kind of account state or market data that is followed by stream, so that queries are answered from it")
export class LiveState extends fieldsOf({
  stream: text("The kind, by the name of its subscription"),
  accounts: texts("Accounts for which it is kept open because it is read often"),
  symbols: texts(
    "Symbols for which it is kept open because it is read often: category and symbol, with the interval or the depth",
  ),
  answered: count("Number of reads that it has answered, without a call"),
  missed: count("Number of reads that it could not answer; the cache or the exchange did"),
}) {}

@RecordType("A list of an account's state from which queries are answered while it is proven")
class LiveList extends fieldsOf({
  account: text("The account's name in this gateway"),
  stream: text("The kind of state, by the name of its subscription"),
  list: text(
    "The exchange's list: a product category, with the kind of order after it where that has a list of its own, or `ALL`",
  ),
  reason: of(UnprovenReason).orNull("Why queries for it call the exchange; null if they are answered from streams"),
  comparedTime: time.orNull(
    "When it was last compared with the exchange: a push that was lost before is in it. Null until it has been read",
  ),
}) {}

@RecordType("Properties of an account that are known without an upstream call")
class KnownAccount extends fieldsOf({
  name: text("The account's name in this gateway"),
  mode: of(AccountMode).orNull("Account mode; null until it has been read"),
}) {}

@RecordType("State of the connection between this gateway and the exchange, for operators. No upstream call")
export class Exchange extends fieldsOf({
  time: time("The exchange's time, as estimated from its answers"),
  clockSkewMs: count.orNull("The exchange's clock minus the gateway's, in milliseconds; null before the first answer"),
  clockOffsetMs: decimal
    .deprecated("Use `clockSkewMs`, which is a number")
    .orNull("The exchange's clock minus the gateway's, in milliseconds; null before the first answer"),
  accounts: listOf(KnownAccount, accounts)("The configured accounts and their known properties"),
  halts: listOf(TradingHalt, halts)("Halts of trading that are in force"),
  budgets: listOf(
    RateBudget,
    own("budgets"),
  )("The limit of all calls together and those of the endpoints that have been called, with their remaining calls"),
  sharedCounters: listOf(
    SharedCounter,
    own("sharedCounters"),
  )("Rate-limit counters that another client uses too, as the exchange's own count shows. Part of their limits is left unused"),
  breakers: listOf(CircuitBreaker, own("breakers"))("Endpoints whose circuit breaker is not closed"),
  cache: of(CacheUse)("Use of the shared cache"),
  streams: listOf(OpenStream, 10)("Streams that are open, by their kind"),
  live: listOf(LiveState, 4)("State that queries are answered from, by its kind. See `LIVE_ACCOUNTS`"),
  liveLists: listOf(
    LiveList,
    own("liveLists"),
  )("The lists of the accounts whose streams are kept open for queries: why each is not live, and when it was last compared"),
  connections: listOf(StreamSocket, own("connections"))("Connections to the exchange's streams"),
}) {}
