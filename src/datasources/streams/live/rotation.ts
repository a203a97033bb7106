import type { Clock } from "@exchange-graph/contract/clock";

/** A list of an account's state. */
export interface ComparedList {
  readonly isOpen: boolean;
  /** Whether it is about to be read anyway. */
  readonly isRead: boolean;
  /** When it was last compared with the exchange, Unix ms; undefined if it never was. */
  readonly comparedAt: number | undefined;
  compare(): void;
}

interface RotationOptions {
  readonly clock: Clock;
  /** The exchange's time, Unix ms. */
  readonly exchangeNow: () => number;
  /** The lists of an account whose streams are open; empty if none is. */
  readonly listsOf: (account: string) => readonly ComparedList[];
}

/** Maximum number of lists of an account that are read within a minute so that they are compared. */
const PER_MINUTE = 3;
const MINUTE_MS = 60_000;
const TURN_MS = MINUTE_MS / PER_MINUTE;
/** In every such turn the list goes first that was compared longest ago; in the others one with something open. */
const FREE_TURN = 4;
/** Lists with something open are not compared again sooner than this, as long as there are others. */
const EARLY_MS = 60_000;

/**
 * Compares the lists of each account with the exchange in turns, since no push tells that another was lost: those with something
 * open in three of four turns. Other readings of the account use up its turns.
 */
export class Rotation {
  readonly #turns = new Map<string, { cancel: () => void; readAt: number[]; count: number }>();

  constructor(private readonly options: RotationOptions) {}

  /** Called when lists of an account are read, whatever for. */
  read(account: string, lists: number): void {
    const turn = this.#turns.get(account) ?? this.#begin(account);
    const now = this.options.clock.now();
    for (let list = 0; list < Math.min(lists, PER_MINUTE); list++) turn.readAt.push(now);
    turn.readAt.splice(0, turn.readAt.length - PER_MINUTE);
  }

  close(): void {
    for (const { cancel } of this.#turns.values()) cancel();
    this.#turns.clear();
  }

  #begin(account: string) {
    const turn = { cancel: this.options.clock.after(TURN_MS, () => this.#turn(account)), readAt: [], count: 1 };
    this.#turns.set(account, turn);
    return turn;
  }

  #turn(account: string): void {
    const turn = this.#turns.get(account);
    const lists = this.options.listsOf(account);
    if (turn === undefined) return;
    if (lists.length === 0) {
      this.#turns.delete(account);
      return;
    }
    turn.cancel = this.options.clock.after(TURN_MS, () => this.#turn(account));
    const since = this.options.clock.now() - MINUTE_MS;
    const [oldest = 0] = turn.readAt;
    if (turn.readAt.length >= PER_MINUTE && oldest > since) return;
    nextOf(lists, this.options.exchangeNow(), turn.count++)?.compare();
  }
}

/** The list to be compared in this turn; undefined if all are about to be read. */
function nextOf(lists: readonly ComparedList[], now: number, turn: number): ComparedList | undefined {
  const age = ({ comparedAt = 0 }: ComparedList) => now - comparedAt;
  const longest = (some: readonly ComparedList[]) => some.toSorted((one, other) => age(other) - age(one))[0];
  const waiting = lists.filter(({ isRead }) => !isRead);
  const open = longest(waiting.filter(({ isOpen }) => isOpen));
  const any = longest(waiting);
  return turn % FREE_TURN === 0 || open === undefined || age(open) < EARLY_MS ? any : open;
}
