import { classicFuturesFillChannel, classicSpotFillChannel, fillChannel } from "@exchange-graph/contract/channels/fill";
import type { Fill } from "@exchange-graph/contract/fill";
import { isRead, rowsRead } from "@exchange-graph/contract/rows";
import { FUTURES_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import type { AccountMode, ExchangeAccount } from "../../accounts/exchangeAccount.js";
import { growingLru } from "../../cache/lru.js";
import { readLatestFills } from "../../queries/fills.js";
import { FUTURES_TRADING, SPOT_TRADING, UNIFIED_TRADING } from "../../reads/readGroups.js";
import type { RequestReads } from "../../requestReads.js";
import { FillLedger, type KnownFills } from "../../state/fillLedger.js";
import { fillsSince, NO_ROWS } from "../reconcile.js";
import type { Change } from "./feed.js";
import { NOTHING_MISSED, type PrivateState, source } from "./privateState.js";

/** Executions that are remembered, so that none is reported twice: more than a gap can hold. */
const MAX_KNOWN = 20_000;

type Fills = readonly Fill[];

/** The lists may lag behind the pushes by this long. */
const LAG_MS = 90_000;

/**
 * Executions, each once. Listeners hear no state; what was missed, in a gap or because a push was lost, is read. While they are
 * kept for queries (`isKept`) the latest ones are known as well, with those from before the stream came up.
 */
export function fillsState(
  account: ExchangeAccount,
  mode: AccountMode,
  isKept: () => boolean = () => false,
): PrivateState<Fills, KnownFills> {
  const known = growingLru<true>(MAX_KNOWN);
  const ledger = new FillLedger(mode);
  const news = (fills: Fills): Change<Fills> | undefined => {
    const fresh = fills.filter(({ execId }) => !known.has(execId));
    for (const { execId } of fresh) known.set(execId, true);
    return fresh.length === 0 ? undefined : { kind: "update", value: fresh };
  };
  const accept = (fills: Fills): Change<Fills> | undefined => {
    if (isKept()) ledger.pushed(fills);
    else ledger.clear();
    return news(fills);
  };
  let begin: number | undefined;
  let readAt = 0;
  return {
    sources:
      mode === "UNIFIED"
        ? [source(fillChannel, {}, UNIFIED_TRADING, accept)]
        : [
            source(classicSpotFillChannel, {}, SPOT_TRADING, accept),
            ...FUTURES_CATEGORIES.map((category) => source(classicFuturesFillChannel, { category }, FUTURES_TRADING, accept)),
          ],
    current: () => undefined,
    known: () => (isKept() ? ledger.known : undefined),
    isPartial: () => isKept() && (ledger.isPartial || !ledger.hasPast),
    unchanged: () => [],
    async reconcile(reads: RequestReads, since) {
      const now = reads.now();
      if (begin === undefined) {
        begin = now;
        readAt = now;
        return NOTHING_MISSED;
      }
      const listenedFrom = begin;
      const wantsPast = isKept() && !ledger.hasPast;
      const from = Math.min(since ?? now, readAt - LAG_MS);
      const [missed, latest] = await Promise.all([
        since === undefined && wantsPast ? NO_ROWS : fillsSince(reads, account, from),
        wantsPast ? readLatestFills(reads, account) : [],
      ]);
      const rows = [...missed.rows, ...latest.flatMap((list) => rowsRead(list.rows))];
      const isWhole = missed.isWhole && latest.every((list) => list.rows.every(isRead));
      if (!isKept()) ledger.clear();
      else {
        ledger.read(rows, isWhole ? now - LAG_MS : 0);
        if (isWhole) for (const { categories, since: reached } of latest) ledger.reaches(categories, reached);
      }
      if (isWhole) readAt = now;
      // What was executed before anybody listened is history, not news.
      const heard = rows.filter(({ createdTime }) => createdTime === null || createdTime >= listenedFrom);
      const change = news([...heard].sort((a, b) => (b.createdTime ?? 0) - (a.createdTime ?? 0)));
      return { change, isWhole, hasFilledIn: isKept() };
    },
  };
}
