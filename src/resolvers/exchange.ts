import { exact, plain } from "@exchange-graph/contract/decimal";
import { Ctx, Query, Resolver } from "type-graphql";
import { ADDRESS_COUNTER } from "../datasources/calls/index.js";
import type { OpenTopic, StreamGauges } from "../datasources/streams/index.js";
import { type CacheUse, Exchange, type LiveState, type OpenStream } from "../schema/exchange.js";
import { RequiresScope } from "../schema/requiresScope.js";
import type { RequestContext } from "./context.js";
import { visibleHalts } from "./mutations/halt.js";

/** Accounts for which this scope is not granted are omitted. */
const OPERATING = "admin";

const RATIO_DECIMALS = 4;

function cacheUse({ hits, misses }: Omit<CacheUse, "hitRatio">): CacheUse {
  const lookUps = exact(String(hits)).plus(String(misses));
  return { hits, misses, hitRatio: lookUps.eq("0") ? null : plain(exact(String(hits)).div(lookUps).round(RATIO_DECIMALS)) };
}

function byKind(topics: readonly OpenTopic[]): readonly OpenStream[] {
  const kinds = new Map<string, OpenStream>();
  for (const { stream, isLive } of topics) {
    const { topics: open, live } = kinds.get(stream) ?? { topics: 0, live: 0 };
    kinds.set(stream, { stream, topics: open + 1, live: live + (isLive ? 1 : 0) });
  }
  return [...kinds.values()];
}

const byLiveKind = ({ kept, symbols, counts }: StreamGauges["live"], names: readonly string[]): readonly LiveState[] =>
  counts.map(({ kind, answered, missed }) => ({
    stream: kind,
    accounts: kept.filter((one) => one.kind === kind && names.includes(one.account)).map(({ account }) => account),
    symbols: symbols.filter((one) => one.kind === kind).map(({ name }) => name),
    answered,
    missed,
  }));

const NO_STREAMS: StreamGauges = {
  topics: [],
  connections: [],
  live: { kept: [], symbols: [], counts: [], lists: () => [] },
  shared: new Map(),
};

@Resolver(() => Exchange)
export class ExchangeResolver {
  @RequiresScope(OPERATING)
  @Query(() => Exchange, {
    description: "State of the connection to the exchange: clock, budgets, breakers, cache, streams. No upstream call",
  })
  exchange(@Ctx() context: RequestContext): Exchange {
    const {
      principal: { rights },
      exchange,
      reads,
      streams,
    } = context;
    reads.trace.markFleeting();
    const { clock, scheduler, reader, cache, modes, knownUsers } = exchange;
    const accounts = exchange.accounts.filter(({ name }) => rights.on(OPERATING, name));
    const names = accounts.map(({ name }) => name);
    /** A row for each account whose counter it is, because accounts of one user share it. */
    const named = <R extends { readonly counter: string }>(rows: readonly R[]): R[] =>
      rows.flatMap((row) =>
        row.counter === ADDRESS_COUNTER
          ? [row]
          : accounts.filter((account) => knownUsers.idOf(account) === row.counter).map(({ name }) => ({ ...row, counter: name })),
      );
    const isShown = ({ account }: { readonly account: string | undefined }) => account === undefined || names.includes(account);
    const { topics, connections, live } = streams?.gauges() ?? NO_STREAMS;
    return {
      time: clock.now(),
      clockSkewMs: clock.isKnown ? Math.round(clock.offsetMs) : null,
      clockOffsetMs: clock.isKnown ? String(clock.offsetMs) : null,
      accounts: accounts.map((account) => ({ name: account.name, mode: modes.cachedMode(account) ?? null })),
      halts: visibleHalts(context),
      budgets: [scheduler.overall(), ...named(scheduler.buckets())],
      sharedCounters: named(scheduler.neighbours.shared()).map((shared) => ({
        ...shared,
        noticedTime: shared.noticedAt,
        share: String(shared.share),
      })),
      breakers: reader
        .breakers()
        .filter(isShown)
        .map(({ endpoint, state, account = null }) => ({ endpoint, account, status: state })),
      cache: cacheUse(cache.counts),
      streams: byKind(topics.filter(isShown)),
      live: byLiveKind(live, names),
      liveLists: live
        .lists()
        .filter(isShown)
        .map(({ account, kind, name, comparedAt = null, reason = null }) => ({
          account,
          stream: kind,
          list: name,
          comparedTime: comparedAt,
          reason,
        })),
      connections: connections
        .filter(isShown)
        .map(({ apiVersion, account = null, state, topics }) => ({ apiVersion, account, status: state, topics })),
    };
  }
}
