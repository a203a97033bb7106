import { classicFuturesFillChannel, classicSpotFillChannel, fillChannel } from "@exchange-graph/contract/channels/fill";
import type { Fill } from "@exchange-graph/contract/fill";
import { FUTURES_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import type { AccountMode, ExchangeAccount } from "../../accounts/exchangeAccount.js";
import { growingLru } from "../../cache/lru.js";
import { FUTURES_TRADING, SPOT_TRADING, UNIFIED_TRADING } from "../../reads/readGroups.js";
import type { RequestReads } from "../../requestReads.js";
import { fillsSince } from "../reconcile.js";
import type { Change } from "./feed.js";
import { NOTHING_MISSED, type PrivateState, source } from "./privateFeed.js";

/** Executions that are remembered, so that none is reported twice: more than a gap can hold. */
const MAX_KNOWN = 20_000;

type Fills = readonly Fill[];

/** Executions, each once. They have no state; after a gap those that were missed are read. */
export function fillsState(account: ExchangeAccount, mode: AccountMode): PrivateState<Fills> {
  const known = growingLru<true>(MAX_KNOWN);
  const accept = (fills: Fills): Change<Fills> | undefined => {
    const news = fills.filter(({ execId }) => !known.has(execId));
    for (const { execId } of news) known.set(execId, true);
    return news.length === 0 ? undefined : { kind: "update", value: news };
  };
  let begin: number | undefined;
  return {
    sources:
      mode === "UNIFIED"
        ? [source(fillChannel, {}, UNIFIED_TRADING, accept)]
        : [
            source(classicSpotFillChannel, {}, SPOT_TRADING, accept),
            ...FUTURES_CATEGORIES.map((category) => source(classicFuturesFillChannel, { category }, FUTURES_TRADING, accept)),
          ],
    current: () => undefined,
    unchanged: () => [],
    async reconcile(reads: RequestReads, since) {
      begin ??= reads.now();
      const listenedFrom = begin;
      if (since === undefined) return NOTHING_MISSED;
      // What was executed before anybody listened is history, not news.
      const { rows, isWhole } = await fillsSince(reads, account, since);
      const missed = rows.filter(({ createdTime }) => createdTime === null || createdTime >= listenedFrom);
      return { change: accept([...missed].sort((a, b) => (b.createdTime ?? 0) - (a.createdTime ?? 0))), isWhole };
    },
  };
}
