import type { Push } from "@exchange-graph/contract/channels/channel";
import { classicPositionsChannel, positionChannel } from "@exchange-graph/contract/channels/position";
import { isZero } from "@exchange-graph/contract/decimal";
import type { Position } from "@exchange-graph/contract/position";
import { FUTURES_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import type { AccountMode } from "../../accounts/accountModes.js";
import type { ExchangeAccount } from "../../accounts/exchangeAccount.js";
import { growingLru } from "../../cache/lru.js";
import { readPositions } from "../../queries/positions.js";
import type { RequestReads } from "../../requestReads.js";
import { readRows } from "../reconcile.js";
import type { Change } from "./feed.js";
import { type PrivateState, source } from "./privateFeed.js";

type Positions = readonly Position[];

const keyOf = ({ categoryRaw, symbol, marginCoin, posSide }: Position): string =>
  `${categoryRaw} ${symbol} ${marginCoin} ${posSide}`;

const hasEnded = ({ positionStatus, qty }: Position): boolean => positionStatus === "ended" || (qty !== null && isZero(qty));

/** Where one of the two is not known, neither is earlier. */
const isEarlier = (one: number | null, other: number | null): boolean => one !== null && other !== null && one < other;

/** A position that is gone from a list that has all of them. */
const ended = (position: Position): Position => ({
  ...position,
  qty: "0",
  availableQty: "0",
  frozenQty: "0",
  unrealisedPnl: "0",
  positionStatus: "ended",
  positionStatusRaw: "ended",
});

const isSame = (a: Position, b: Position): boolean => {
  const other: Readonly<Record<string, unknown>> = b;
  return Object.entries(a).every(([name, value]) => other[name] === value);
};

/** Positions that have ended are remembered up to this number. */
const MAX_ENDED = 2_000;

/** The open positions of an account. */
class PositionLedger {
  readonly #open = new Map<string, Position>();
  /** The last positions that ended: no late message brings one back to life. */
  readonly #ended = growingLru<Pick<Position, "createdTime" | "updatedTime">>(MAX_ENDED);
  /** Keys and whole categories that were pushed while the lists were being read: there the push is the newer word. */
  readonly #pushed = new Set<string>();

  get open(): Positions {
    return [...this.#open.values()];
  }

  /** A new reading begins. */
  beginReading(): void {
    this.#pushed.clear();
  }

  /** Takes positions that changed. Gives those that are news, ended ones included. */
  pushed(positions: Positions): Positions {
    for (const position of positions) this.#pushed.add(keyOf(position));
    return this.#take(positions);
  }

  /** Takes a list that has every position of some categories. */
  pushedWhole(categories: readonly string[], positions: Positions): Positions {
    for (const category of categories) this.#pushed.add(category);
    return [...this.#take(positions), ...this.#endOthers(categories, positions)];
  }

  /** Takes the lists that were read. `isWhole`: a position that is not in them is gone. */
  read(positions: Positions, isWhole: boolean): Positions {
    const isNewer = (position: Position) => !this.#pushed.has(position.categoryRaw) && !this.#pushed.has(keyOf(position));
    const categories = FUTURES_CATEGORIES.filter((category) => !this.#pushed.has(category));
    const news = this.#take(positions.filter(isNewer));
    return isWhole ? [...news, ...this.#endOthers(categories, positions, isNewer)] : news;
  }

  #take(positions: Positions): Positions {
    return positions.filter((position) => {
      const key = keyOf(position);
      const known = this.#open.get(key);
      if (this.#isOver(key, position)) return false;
      if (known !== undefined && (isEarlier(position.updatedTime, known.updatedTime) || isSame(position, known))) return false;
      if (!hasEnded(position)) this.#open.set(key, position);
      return hasEnded(position) ? this.#end(key, position) : true;
    });
  }

  /** A position can be opened anew in the very moment in which the one before it ended. */
  #isOver(key: string, { createdTime, updatedTime }: Position): boolean {
    const last = this.#ended.get(key);
    return last !== undefined && !isEarlier(last.updatedTime, updatedTime) && !isEarlier(last.createdTime, createdTime);
  }

  #end(key: string, { createdTime, updatedTime }: Position): boolean {
    this.#ended.set(key, { createdTime, updatedTime });
    return this.#open.delete(key);
  }

  #endOthers(categories: readonly string[], positions: Positions, isNewer = (_: Position) => true): Positions {
    const listed = new Set(positions.map(keyOf));
    const others = this.open.filter(
      (position) => categories.includes(position.categoryRaw) && !listed.has(keyOf(position)) && isNewer(position),
    );
    for (const position of others) this.#end(keyOf(position), position);
    return others.map(ended);
  }
}

/** Positions: the open ones first, then each that opens, changes or ends. */
export function positionsState(account: ExchangeAccount, mode: AccountMode): PrivateState<Positions> {
  const ledger = new PositionLedger();
  const told = (news: Positions): Change<Positions> | undefined =>
    news.length === 0 ? undefined : { kind: "update", value: news };
  const list = (categories: readonly string[], positions: Positions, isWhole: boolean) =>
    told(isWhole ? ledger.pushedWhole(categories, positions) : ledger.pushed(positions));
  const unified = (positions: Positions, { action }: Push, isWhole: boolean) =>
    list(FUTURES_CATEGORIES, positions, isWhole && action === "snapshot");
  return {
    sources:
      mode === "UNIFIED"
        ? [source(positionChannel, {}, unified)]
        : FUTURES_CATEGORIES.map((category) =>
            source(classicPositionsChannel, { category }, (positions, _push, isWhole) => list([category], positions, isWhole)),
          ),
    current: () => ledger.open,
    unchanged: () => [],
    async reconcile(reads: RequestReads) {
      ledger.beginReading();
      const { rows, isWhole } = readRows(await readPositions(reads, account, {}));
      return { change: told(ledger.read(rows, isWhole)), isWhole };
    },
  };
}
