import type { FeedUpstream } from "./feeds/channelFeed.js";
import type { FeedPart } from "./feeds/privateState.js";

/** A list of an account's state. */
export interface ComparedList extends Omit<FeedPart, "name"> {
  compare(): void;
}

interface RotationOptions extends Pick<FeedUpstream, "clock" | "exchangeNow"> {
  /** The lists of an account whose streams are open; empty if none is. */
  readonly listsOf: (account: string) => readonly ComparedList[];
}

const MINUTE_MS = 60_000;
/** A list is read in each turn so that it is compared, unless as many as `reads` were read within `withinMs` already. */
interface Pace {
  readonly turnMs: number;
  readonly reads: number;
  readonly withinMs: number;
}
const QUIET: Pace = { turnMs: 20_000, reads: 3, withinMs: MINUTE_MS };
/**
 * Within a minute after the account has traded. Trades cause readings of their own: one turn in six is left to them, and those of a
 * minute ago still count.
 */
const TRADING: Pace = { turnMs: 12_000, reads: 6, withinMs: 72_000 };
/** Lists with something open are compared this often, as long as that takes three of four turns at most. */
const OPEN_MS = 120_000;
/** After so many turns for such lists, one goes to another list. */
const IN_A_ROW = 4;
/** Minimum frequency of turns of an account whose turns are used up by other readings, which may all be of the same lists. */
const LEAST_MS = 300_000;

interface AccountTurns {
  cancel: () => void;
  readonly readAt: number[];
  tradedAt: number;
  takenAt: number;
  /** Number of turns for lists with something open since one for another list. */
  inARow: number;
}

/**
 * Compares the lists of each account with the exchange in turns, because a lost push is not noticed otherwise: first those with
 * something open that are due, then the one that was compared longest ago. Other readings of the account use up its turns.
 */
export class Rotation {
  readonly #turns = new Map<string, AccountTurns>();

  constructor(private readonly options: RotationOptions) {}

  /** Called when lists of an account are read, whatever for. */
  read(account: string, lists: number): void {
    const { readAt } = this.#turns.get(account) ?? this.#begin(account);
    const now = this.options.clock.now();
    for (let list = 0; list < Math.min(lists, TRADING.reads); list++) readAt.push(now);
    readAt.splice(0, readAt.length - TRADING.reads);
  }

  /** Called when orders of an account were placed, changed, cancelled or executed. */
  traded(account: string): void {
    const turns = this.#turns.get(account);
    if (turns !== undefined) turns.tradedAt = this.options.clock.now();
  }

  close(): void {
    for (const { cancel } of this.#turns.values()) cancel();
    this.#turns.clear();
  }

  #begin(account: string): AccountTurns {
    const { clock } = this.options;
    const cancel = clock.after(QUIET.turnMs, () => this.#turn(account));
    const turns = { cancel, readAt: [], tradedAt: Number.NEGATIVE_INFINITY, takenAt: clock.now(), inARow: 0 };
    this.#turns.set(account, turns);
    return turns;
  }

  #turn(account: string): void {
    const { clock, listsOf, exchangeNow } = this.options;
    const turns = this.#turns.get(account);
    const lists = listsOf(account);
    if (turns === undefined) return;
    if (lists.length === 0) {
      this.#turns.delete(account);
      return;
    }
    const now = clock.now();
    const { turnMs, reads, withinMs } = now - turns.tradedAt < MINUTE_MS ? TRADING : QUIET;
    turns.cancel = clock.after(turnMs, () => this.#turn(account));
    const isRead = turns.readAt.filter((time) => time > now - withinMs).length >= reads;
    if (isRead && now - turns.takenAt < LEAST_MS) return;
    turns.takenAt = now;
    const next = nextOf(lists, exchangeNow(), turnMs, turns.inARow >= IN_A_ROW);
    turns.inARow = next?.isOpen === true ? turns.inARow + 1 : 0;
    next?.compare();
  }
}

/** The list to be compared in this turn; undefined if all are about to be read. */
function nextOf(lists: readonly ComparedList[], now: number, turnMs: number, isFree: boolean): ComparedList | undefined {
  const age = ({ comparedAt = 0 }: ComparedList) => now - comparedAt;
  const waiting = lists.filter(({ isRead }) => !isRead).toSorted((one, other) => age(other) - age(one));
  const open = waiting.filter(({ isOpen }) => isOpen);
  const [other] = waiting.filter(({ isOpen }) => !isOpen);
  // Whether a list with open records would have its turn too late if this turn went to another list.
  const isDue = open.some((list, at) => age(list) + (at + 1 + Math.floor(at / IN_A_ROW)) * turnMs > OPEN_MS);
  return isDue && !isFree ? open[0] : (other ?? open[0]);
}
