import { unifiedAssets } from "@exchange-graph/contract/asset";
import type { Push } from "@exchange-graph/contract/channels/channel";
import { classicPositionsChannel, positionChannel } from "@exchange-graph/contract/channels/position";
import { openPlanOrders } from "@exchange-graph/contract/planReads";
import type { Position } from "@exchange-graph/contract/position";
import { positions } from "@exchange-graph/contract/position";
import { positionHistory } from "@exchange-graph/contract/positionHistory";
import { FUTURES_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import type { AccountMode, ExchangeAccount } from "../../calls/index.js";
import { FUTURES_TRADING, type RequestReads, readPositions } from "../../reads/index.js";
import { readRows } from "../reconcile.js";
import { endedBy, positionLedger } from "../state/positionLedger.js";
import { updateOf } from "./feed.js";
import { type PrivateState, source } from "./privateState.js";

type Positions = readonly Position[];

/** Positions: the open ones first, then each one that opens, changes or closes. */
export function positionsState(account: ExchangeAccount, mode: AccountMode): PrivateState<Positions> {
  const ledger = positionLedger(mode);
  const ends = (missing: Positions, at: number): Positions => {
    const ended = missing.map((position) => endedBy(position, at));
    ledger.end(ended);
    return ended;
  };
  const list = (categories: readonly string[], positions: Positions, isWhole: boolean, at: number) => {
    if (!isWhole) return updateOf(ledger.pushed(positions));
    const { changed, missing } = ledger.pushedWhole(categories, positions);
    return updateOf([...changed, ...ends(missing, at)]);
  };
  const unified = (positions: Positions, { action, time }: Push, isWhole: boolean) =>
    list(FUTURES_CATEGORIES, positions, isWhole && action === "snapshot", time ?? 0);
  return {
    sources:
      mode === "UNIFIED"
        ? [source(positionChannel, {}, [positions, positionHistory, unifiedAssets, openPlanOrders], unified)]
        : FUTURES_CATEGORIES.map((category) =>
            source(classicPositionsChannel, { category }, FUTURES_TRADING, (positions, { time }, isWhole) =>
              list([category], positions, isWhole, time ?? 0),
            ),
          ),
    current: () => ledger.open,
    queryState: () => ledger.open,
    parts: FUTURES_CATEGORIES,
    hasOpen: (part) => ledger.hasOpen(part),
    partialParts: () => ledger.partialParts,
    unchanged: () => [],
    async read(reads: RequestReads, _since, parts) {
      const reading = ledger.beginReading();
      const categories = FUTURES_CATEGORIES.filter((category) => parts.includes(category));
      const lists = await Promise.all(categories.map((category) => readPositions(reads, account, { category })));
      const { rows, isWhole } = readRows(lists.flat());
      return () => {
        const changed = reading.take(rows);
        if (!isWhole) return { change: updateOf(changed), isWhole };
        const gone = ends(reading.missingIn(parts, rows), reads.now());
        ledger.sortAs(
          FUTURES_CATEGORIES.flatMap((category) =>
            (parts.includes(category) ? rows : ledger.open).filter((position) => position.categoryRaw === category),
          ),
        );
        return { change: updateOf([...changed, ...gone]), isWhole };
      };
    },
  };
}
