import { randomUUID } from "node:crypto";
import type { Clock } from "@exchange-graph/contract/clock";
import { PRODUCT_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import { INSTRUMENTATION, type Instrumentation } from "../../instrumentation/instrumentation.js";
import { type Accounts, type ExchangeAccount, type KnownUsers, keyDigest, LIVE_STATE } from "../calls/index.js";
import { type ReadSources, RequestReads, type Users } from "../reads/index.js";
import { AccountTopics } from "./accountTopics.js";
import type { FeedUpstream } from "./feeds/channelFeed.js";
import type { Feed } from "./feeds/feed.js";
import type { AccountAccess } from "./feeds/privateState.js";
import { EndedLists } from "./live/endedLists.js";
import { Keeper, type LivePolicy } from "./live/keeper.js";
import { LiveAccounts } from "./live/liveAccounts.js";
import { AccountAnswers, MarketAnswers, type MarketKind, type MarketSubject } from "./live/liveAnswers.js";
import { kindsShowing } from "./live/liveEndpoints.js";
import { type ApiVersion, MarketTopics } from "./marketTopics.js";
import type { EventLog } from "./resumption/eventLog.js";
import { MemoryEventLog } from "./resumption/memoryEventLog.js";
import type { ResumableTopic } from "./resumption/resumableTopics.js";
import { TopicHistory, type TopicName } from "./resumption/topicHistory.js";
import type { ShareTopics } from "./sharing.js";
import { LIVE_KINDS, type LiveKind } from "./state/kinds.js";
import type { OpenTopic, Streams } from "./streams.js";
import { TopicHub, type TopicState } from "./topicHub.js";
import { TopicUsers } from "./topicUsers.js";
import { TIMINGS, type Timings } from "./upstream/timings.js";
import { UpstreamConnections } from "./upstream/upstreamConnections.js";
import { type OpenWire, openWebSocket } from "./upstream/wire.js";

/** Parts of the data source that streams use. */
interface StreamSources extends ReadSources {
  readonly directory: Accounts;
  readonly knownUsers: KnownUsers;
  readonly users: Pick<Users, "of">;
}

export interface StreamsSettings {
  readonly exchange: StreamSources;
  readonly wsUrl: URL;
  /** API version of the public streams. Default: v3. */
  readonly publicApiVersion?: ApiVersion;
  readonly clock: Clock;
  /** Between 0 and 1; jitter of reconnections. */
  readonly random: () => number;
  /** Returns a unique text. Default: a random UUID. */
  readonly newName?: () => string;
  /** Opens connections to `wsUrl`. Default: over the network. */
  readonly openWire?: OpenWire;
  /** Channels on which events are published. Default: the process's own. */
  readonly instrumentation?: Instrumentation;
  readonly timings?: Partial<Timings>;
  /** Time for which a topic without listeners is kept, ms. */
  readonly lingerMs?: number;
  /** Accounts whose streams stay open for queries. Default: none. */
  readonly live?: LivePolicy;
  /** Shares topics with other replicas. Default: each replica subscribes to everything itself. */
  readonly share?: ShareTopics | undefined;
  /** Log of the latest events for resuming listeners. Default: in this process. */
  readonly eventLog?: EventLog | undefined;
}

const LINGER_MS = 5_000;
/** Maximum number of accounts kept live: each takes a connection, and the exchange limits connections per address. */
const MAX_LIVE_ACCOUNTS = 60;
/** Maximum number of tickers, books and lists of candles kept live. */
const MAX_LIVE_SYMBOLS = 300;
/**
 * Maximum time for a topic to start: a connection, a login, a subscription and a first reading, which waits in the queue when
 * many accounts start at once.
 */
const READY_MS = 30_000;
/** Maximum wait for a slot of each call of such a reading. */
const PATIENCE_MS = READY_MS;

/** Reported for unexpected errors of sharing, other than a lost connection. */
const SHARING_FAILURE = "unexpected error while a stream was shared between replicas";

/** Reported for unexpected errors of the event log, other than a lost connection. */
const HISTORY_FAILURE = "unexpected error while a stream's past was kept";

/** Reported if a listener throws; the others get the event nevertheless. */
const LISTENER_FAILURE = "unexpected error in a listener of a stream";

/** Composes the streams. Nothing is connected before the first listener. */
export function createStreams(settings: StreamsSettings): Streams {
  const { exchange, wsUrl, clock, random, publicApiVersion = "v3", lingerMs = LINGER_MS } = settings;
  const { instrumentation = INSTRUMENTATION, openWire = openWebSocket, newName = randomUUID } = settings;
  const exchangeNow = () => exchange.clock.now();
  const timings = { ...TIMINGS, ...settings.timings };
  const connections = new UpstreamConnections({ wsUrl, openWire, clock, exchangeNow, random, timings, instrumentation });
  const shared = settings.share?.({
    connections,
    clock,
    random,
    accountNamed: (name) => exchange.directory.find(name),
    fingerprintOf: ({ credentials }) => keyDigest(credentials),
    report: (error) => instrumentation.failure.publish({ error, what: SHARING_FAILURE }),
    changedElsewhere: (account, names) => {
      const kinds = [...LIVE_KINDS].filter((kind) => names.includes(kind));
      const categories = PRODUCT_CATEGORIES.filter((category) => names.includes(category));
      accounts.changedElsewhere(account, kinds, categories.length > 0 ? categories : undefined);
    },
    // Writes of other replicas may have been missed while their notices did not arrive.
    returned: () => {
      for (const account of accounts.followed) accounts.changedElsewhere(account, LIVE_KINDS);
    },
  });
  const upstream: FeedUpstream = { connections: shared ?? connections, instrumentation, clock, exchangeNow, random };
  const onListenerError = (error: unknown) => instrumentation.failure.publish({ error, what: LISTENER_FAILURE });
  const newHub = <T, F extends Feed<T> = Feed<T>>() =>
    new TopicHub<T, F>({ clock, lingerMs, readyMs: READY_MS, onListenerError });
  const histories = {
    log: settings.eventLog ?? new MemoryEventLog(clock),
    clock,
    exchangeNow,
    setBackFrom: () => exchange.clock.setBackFrom,
    newName: () => newName(),
    report: (error: unknown) => instrumentation.failure.publish({ error, what: HISTORY_FAILURE }),
  };
  const newHistory = <T>(topic: TopicName, recording: ResumableTopic<T>) => new TopicHistory(histories, topic, recording);
  const users = new TopicUsers(exchange, clock, histories.report);
  const market = new MarketTopics(upstream, newHub, publicApiVersion, newHistory);
  const accounts = new AccountTopics(upstream, newHub, accessTo(exchange), market, newHistory, users);
  const liveAccounts = new LiveAccounts({
    topics: accounts,
    market,
    clock,
    exchangeNow,
    newReads: () => stateReads(exchange),
    rulesFailed: (error) => instrumentation.refreshFailure.publish({ endpoint: "marginRules", error }),
  });
  const keeper = new Keeper({
    policy: settings.live ?? "none",
    clock,
    listen: (kind: LiveKind, account: ExchangeAccount, failed) => liveAccounts.keep(kind, account, failed),
    onFailed: (kind, { name: account }, { code }) => instrumentation.liveFailure.publish({ account, kind, code }),
    max: MAX_LIVE_ACCOUNTS,
  });
  const symbolKeeper = new Keeper({
    policy: settings.live === undefined || settings.live === "none" ? "none" : "auto",
    clock,
    listen: (_kind: MarketKind, subject: MarketSubject, failed) => subject.listen(market, failed),
    onFailed: (kind, _subject, { code }) => instrumentation.liveFailure.publish({ account: undefined, kind, code }),
    max: MAX_LIVE_SYMBOLS,
    // The name of market data describes it completely.
    isSame: () => true,
  });
  const marketAnswers = new MarketAnswers(market, symbolKeeper, exchangeNow);
  const isConfirmed = () => shared?.isConfirmed ?? true;
  const answers = new AccountAnswers(liveAccounts, keeper, isConfirmed);
  const endedLists = new EndedLists(
    (account, mode, part) => (isConfirmed() ? accounts.hubs.planOrders.feed(account)?.unbroken(mode, part) : undefined),
    exchangeNow,
  );
  exchange.reader.onInvalidated((account, endpoints, category) => {
    const kinds = kindsShowing(endpoints);
    const categories = category === undefined ? [] : [category];
    accounts.changedElsewhere(account, kinds, category === undefined ? undefined : categories);
    if (kinds.size > 0) shared?.changed(account, [...kinds, ...categories]);
  });
  exchange.directory.onChange(({ changed, removed, former }) => {
    for (const account of changed) {
      const before = former.get(account.name);
      if (before !== undefined && exchange.knownUsers.isSame(account, before)) {
        connections.relogin(account);
        accounts.changedElsewhere(account.name, LIVE_KINDS);
      } else {
        accounts.reassigned(account);
        shared?.leave(account);
        connections.leave(account);
      }
    }
    for (const account of removed) {
      keeper.forget(account.name);
      accounts.end(account);
      shared?.leave(account);
      connections.leave(account);
    }
  });
  return {
    market,
    accounts,
    gauges: () => ({
      topics: [...openTopics(market.hubs, false), ...openTopics(accounts.hubs, true)],
      connections: connections.states(),
      live: {
        kept: keeper.kept.map(({ name, kind }) => ({ account: name, kind })),
        symbols: symbolKeeper.kept,
        counts: [...answers.counts.all, ...marketAnswers.counts.all],
        lists: () => [...new Set(keeper.kept.map(({ name }) => name))].flatMap((name) => liveAccounts.listsOf(name)),
      },
      shared: shared?.roles() ?? new Map(),
    }),
    figures: {
      follow: (account, listener) => liveAccounts.holdings(account, listener),
      positions: (account, listener) => liveAccounts.positions(account, listener),
    },
    worths: {
      keep: (account, failed) => liveAccounts.follow(account, failed).leave,
      of: ({ name }) => (isConfirmed() ? liveAccounts.worthOf(name) : "INTERRUPTED"),
    },
    live: {
      answer: (call) => answers.answer(call) ?? endedLists.answer(call) ?? marketAnswers.answer(call),
      keeping: (call) => endedLists.keeping(call),
      ticker: (wanted) => marketAnswers.ticker(wanted),
    },
    handOver: async () => shared?.handOver(),
    async close() {
      keeper.close();
      symbolKeeper.close();
      users.close();
      accounts.close();
      for (const hub of Object.values(market.hubs)) hub.close();
      await shared?.close();
      connections.close();
    },
  };
}

/** The key of a private topic is the name of its account. */
const openTopics = (
  hubs: Readonly<Record<string, { states(): readonly TopicState[] }>>,
  isPrivate: boolean,
): readonly OpenTopic[] =>
  Object.entries(hubs).flatMap(([stream, hub]) =>
    hub.states().map((topic) => ({ stream, account: isPrivate ? topic.key : undefined, ...topic })),
  );

const stateReads = (exchange: ReadSources) => new RequestReads(exchange, { requester: LIVE_STATE, patienceMs: PATIENCE_MS });

const accessTo = (exchange: ReadSources): AccountAccess => ({
  modeOf: (account) => exchange.modes.of(account),
  forgetMode: (account) => exchange.modes.forget(account),
  newReads: () => stateReads(exchange),
  drop: (account, endpoints) => exchange.reader.drop(account.name, endpoints),
});
