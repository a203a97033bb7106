import { isZero } from "@exchange-graph/contract/decimal";
import type { Position } from "@exchange-graph/contract/position";
import { FUTURES_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import type { AccountMode } from "../accounts/exchangeAccount.js";
import { growingLru } from "../cache/lru.js";
import { fieldsOf, isSame, type MergeRules, merged, type NewsSource } from "./merge.js";

type Positions = readonly Position[];

/** The identity of an open position. */
export const keyOf = ({ categoryRaw, symbol, marginCoin, posSide }: Position): string =>
  `${categoryRaw} ${symbol} ${marginCoin} ${posSide}`;

/** Whether it is closed. */
export const hasEnded = ({ positionStatus, qty }: Position): boolean =>
  positionStatus === "ended" || (qty !== null && isZero(qty));

/** If one of the two is not known, neither is earlier. */
const isEarlier = (one: number | null, other: number | null): boolean => one !== null && other !== null && one < other;

/** A position that is missing from a complete list. */
const ended = (position: Position): Position => ({
  ...position,
  qty: "0",
  availableQty: "0",
  frozenQty: "0",
  unrealisedPnl: "0",
  positionStatus: "ended",
  positionStatusRaw: "ended",
});

const TPSL_FIELDS = ["takeProfit", "takeProfitId", "stopLoss", "stopLossId"];
const CLEARABLE = new Set([...TPSL_FIELDS, "liquidationPrice"]);
const RULES: Readonly<Record<AccountMode, MergeRules>> = {
  UNIFIED: { clearable: CLEARABLE, restOnly: new Set() },
  CLASSIC: { clearable: CLEARABLE, restOnly: new Set([...TPSL_FIELDS, "openOrderQty"]) },
};

/** Maximum number of closed positions that are remembered. */
const MAX_ENDED = 2_000;

/** The open positions of an account. */
export class PositionLedger {
  readonly #open = new Map<string, Position>();
  /** The last closed positions: no late message reopens one. */
  readonly #ended = growingLru<Pick<Position, "createdTime" | "updatedTime">>(MAX_ENDED);
  /** Keys and whole categories that were pushed during a reading: the push is newer. */
  readonly #pushed = new Set<string>();
  /** Open positions that were pushed since the last reading: consequences for other positions are not pushed. */
  readonly #partial = new Set<string>();
  readonly #rules: MergeRules;

  constructor(mode: AccountMode) {
    this.#rules = RULES[mode];
  }

  /** Whether there are changes that only the lists have: fields that pushes lack, or consequences for other positions. */
  get isPartial(): boolean {
    return this.#partial.size > 0;
  }

  get open(): Positions {
    return [...this.#open.values()];
  }

  /** Marks the beginning of a reading. */
  beginReading(): void {
    this.#pushed.clear();
  }

  /** Merges changed positions. Returns those that are new or changed, including closed ones. */
  pushed(positions: Positions): Positions {
    for (const position of positions) this.#pushed.add(keyOf(position));
    return this.#take(positions, "PUSH");
  }

  /** Merges a complete list of the positions of some categories. */
  pushedWhole(categories: readonly string[], positions: Positions): Positions {
    for (const category of categories) this.#pushed.add(category);
    return [...this.#take(positions, "PUSH"), ...this.#endOthers(categories, positions)];
  }

  /** Merges a reading. `isWhole`: a position that is not in it is gone. */
  read(positions: Positions, isWhole: boolean): Positions {
    const isNewer = (position: Position) => !this.#pushed.has(position.categoryRaw) && !this.#pushed.has(keyOf(position));
    const categories = FUTURES_CATEGORIES.filter((category) => !this.#pushed.has(category));
    const news = this.#take(positions.filter(isNewer), "REST");
    const filled = positions.flatMap((position) => (isNewer(position) ? [] : (this.#fillIn(position) ?? [])));
    const changed = [...news, ...filled];
    if (!isWhole) return changed;
    const gone = this.#endOthers(categories, positions, isNewer);
    this.#sortAs(positions);
    return [...changed, ...gone];
  }

  /** Sorts in the order of the lists; positions that are not in them come last. */
  #sortAs(positions: Positions): void {
    const known = new Map(this.#open);
    this.#open.clear();
    for (const key of [...positions.map(keyOf), ...known.keys()]) {
      const position = known.get(key);
      if (position !== undefined) this.#open.set(key, position);
    }
  }

  #take(positions: Positions, source: NewsSource): Positions {
    return positions.flatMap((position) => {
      const key = keyOf(position);
      const known = this.#open.get(key);
      if (this.#isOver(key, position)) return [];
      if (known !== undefined && isEarlier(position.updatedTime, known.updatedTime)) return [];
      // A reopened position inherits nothing from the one before it.
      const before = known?.createdTime === position.createdTime ? known : undefined;
      const whole = merged(before, position, source, this.#rules);
      if (source === "REST") this.#partial.delete(key);
      if (known !== undefined && isSame(whole, known)) return [];
      if (source === "PUSH") this.#partial.add(key);
      if (hasEnded(whole)) return this.#end(key, whole) ? [whole] : [];
      this.#open.set(key, whole);
      return [whole];
    });
  }

  /** The version pushed since is kept, and the list adds the fields that pushes lack. */
  #fillIn(position: Position): Position | undefined {
    const key = keyOf(position);
    const known = this.#open.get(key);
    if (known === undefined || hasEnded(position)) return undefined;
    const whole = { ...known, ...fieldsOf(position, this.#rules.restOnly) };
    if (isSame(whole, known)) return undefined;
    this.#open.set(key, whole);
    return whole;
  }

  /** A position can be reopened in the same millisecond in which the one before it was closed. */
  #isOver(key: string, { createdTime, updatedTime }: Position): boolean {
    const last = this.#ended.get(key);
    return last !== undefined && !isEarlier(last.updatedTime, updatedTime) && !isEarlier(last.createdTime, createdTime);
  }

  #end(key: string, { createdTime, updatedTime }: Position): boolean {
    this.#ended.set(key, { createdTime, updatedTime });
    this.#partial.delete(key);
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
