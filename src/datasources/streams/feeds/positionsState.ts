import { unifiedAssets } from "@exchange-graph/contract/asset";
import type { Push } from "@exchange-graph/contract/channels/channel";
import { classicPositionsChannel, positionChannel } from "@exchange-graph/contract/channels/position";
import { openPlanOrders } from "@exchange-graph/contract/planReads";
import type { Position } from "@exchange-graph/contract/position";
import { positions } from "@exchange-graph/contract/position";
import { positionHistory } from "@exchange-graph/contract/positionHistory";
import { FUTURES_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import type { AccountMode, ExchangeAccount } from "../../accounts/exchangeAccount.js";
import { readPositions } from "../../queries/positions.js";
import { FUTURES_TRADING } from "../../reads/readGroups.js";
import type { RequestReads } from "../../requestReads.js";
import { PositionLedger } from "../../state/positionLedger.js";
import { readRows } from "../reconcile.js";
import { updateOf } from "./feed.js";
import { type PrivateState, source } from "./privateState.js";

type Positions = readonly Position[];

/** Positions: the open ones first, then each one that opens, changes or closes. */
export function positionsState(account: ExchangeAccount, mode: AccountMode): PrivateState<Positions> {
  const ledger = new PositionLedger(mode);
  const list = (categories: readonly string[], positions: Positions, isWhole: boolean) =>
    updateOf(isWhole ? ledger.pushedWhole(categories, positions) : ledger.pushed(positions));
  const unified = (positions: Positions, { action }: Push, isWhole: boolean) =>
    list(FUTURES_CATEGORIES, positions, isWhole && action === "snapshot");
  return {
    sources:
      mode === "UNIFIED"
        ? [source(positionChannel, {}, [positions, positionHistory, unifiedAssets, openPlanOrders], unified)]
        : FUTURES_CATEGORIES.map((category) =>
            source(classicPositionsChannel, { category }, FUTURES_TRADING, (positions, _push, isWhole) =>
              list([category], positions, isWhole),
            ),
          ),
    current: () => ledger.open,
    queryState: () => ledger.open,
    isPartial: () => ledger.isPartial,
    unchanged: () => [],
    async reconcile(reads: RequestReads) {
      ledger.beginReading();
      const { rows, isWhole } = readRows(await readPositions(reads, account, {}));
      return { change: updateOf(ledger.read(rows, isWhole)), isWhole };
    },
  };
}
