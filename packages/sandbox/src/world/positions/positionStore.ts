import type { Exact } from "@exchange-graph/contract/decimal";
import { type FuturesCategory, POSITION_SIDES, type ProductCategory } from "@exchange-graph/contract/vocabulary";
import { ZERO } from "../ledger.js";
import type { Pasts } from "../pasts.js";
import { Register } from "../register.js";
import type { ClosedPosition, Position } from "./position.js";

/** What names an open position. */
export type PositionKey = Pick<Position, "uid" | "symbol" | "side"> & { readonly category: ProductCategory };

/** Number of closed positions kept per user. */
const CLOSED_PER_USER = 5_000;

/** All open positions, at most one per user, symbol and side, and the latest closed ones. */
export class PositionStore {
  readonly #open = new Map<string, Map<string, Position>>();
  readonly #closed = new Register<ClosedPosition>(({ positionId }) => positionId, CLOSED_PER_USER);

  constructor(private readonly pasts: Pasts) {}

  /** Open positions of a user, in the order of their opening. */
  open(uid: string): Iterable<Position> {
    return this.#open.get(uid)?.values() ?? [];
  }

  owners(): Iterable<string> {
    return this.#open.keys();
  }

  /** The open positions of all users, as of now. */
  all(): readonly Position[] {
    return [...this.#open.values()].flatMap((open) => [...open.values()]);
  }

  /** Closed positions of a user, those opened last first. */
  closed(uid: string): readonly ClosedPosition[] {
    this.pasts.recall(uid);
    return this.#closed.of(uid);
  }

  find(key: PositionKey): Position | undefined {
    return this.#open.get(key.uid)?.get(nameOf(key));
  }

  /** In base coin; zero if there is no such position. */
  sizeOf(key: PositionKey): Exact {
    return this.find(key)?.size ?? ZERO;
  }

  /** The positions of a user on a symbol: none, one, or in hedge mode two. */
  onSymbol(uid: string, category: FuturesCategory, symbol: string): readonly Position[] {
    const found = POSITION_SIDES.map((side) => this.find({ uid, category, symbol, side }));
    return found.filter((position) => position !== undefined);
  }

  enter(position: Position): void {
    const open = this.#open.get(position.uid) ?? new Map<string, Position>();
    this.#open.set(position.uid, open.set(nameOf(position), position));
  }

  close(position: Position, endedBy: ClosedPosition["endedBy"]): ClosedPosition {
    const open = this.#open.get(position.uid);
    open?.delete(nameOf(position));
    if (open?.size === 0) this.#open.delete(position.uid);
    const closed: ClosedPosition = { ...position, endedBy };
    this.enterClosed(closed);
    return closed;
  }

  enterClosed(position: ClosedPosition): void {
    this.#closed.enter(position.uid, position);
  }
}

const nameOf = ({ category, symbol, side }: PositionKey): string => `${category}/${symbol}/${side}`;
