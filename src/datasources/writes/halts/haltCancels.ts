import { type Clock, SECOND_MS } from "@exchange-graph/contract/clock";
import type { Instrumentation } from "../../../instrumentation/instrumentation.js";
import type { Accounts, ExchangeAccount, ExchangeClock } from "../../calls/index.js";
import { Fault, ifFault } from "../../errors/index.js";
import type { Users } from "../../reads/index.js";
import type { WriteJournal } from "../journal/writeJournal.js";
import type { Halt } from "./haltStore.js";
import type { Halts } from "./halts.js";

/** Interval at which halts whose orders are not all cancelled are looked for. */
const LOOK_MS = 2 * SECOND_MS;
/** Time until a halt's cancels are tried again that have not cancelled all orders. */
const RETRY_MS = 30 * SECOND_MS;
/** Duration of the right to cancel. Another process continues when it has expired. */
const HELD_MS = 10 * SECOND_MS;
const RENEW_MS = 3 * SECOND_MS;
/** Time after a halt within which orders that were being sent are placed. */
const ON_THEIR_WAY_MS = 60 * SECOND_MS;

/** What an event of `failure` is about. */
export const HALT_CANCELS_FAILURE = "orders of a halted account could not be cancelled: it is tried again until the halt ends";

/** The accounts of one user. They have the same orders. */
type Names = readonly [ExchangeAccount, ...ExchangeAccount[]];

/** Cancels the orders of a user that can add risk and were placed up to this time, Unix ms. Resolves to those that are left. */
type Cancel = (names: Names, placedUpTo: number) => Promise<{ readonly failures: readonly { readonly why: string }[] }>;

/**
 * The cancels of halts. A process may end in the middle of them: the stored halt shows that, and the next process, or another one
 * that shares the journal, continues them, one process at a time. Orders placed after the halt are not cancelled, because somebody
 * has placed them in spite of it.
 */
export class HaltCancels {
  readonly #underWay = new Set<string>();
  /** When those that have failed are tried again, Unix ms. */
  readonly #retryAt = new Map<string, number>();
  #cancelTimer: (() => void) | undefined;
  #isStopped = false;

  constructor(
    private readonly parts: {
      readonly halts: Halts;
      readonly accounts: Pick<Accounts, "all">;
      readonly users: Pick<Users, "known">;
      readonly journal: Pick<WriteJournal, "hold" | "giveUp">;
      readonly exchangeClock: Pick<ExchangeClock, "now">;
      readonly clock: Clock;
      readonly instrumentation: Instrumentation;
    },
  ) {}

  /** Makes the cancels of a halt with `cancelsOpen`, of an account or of all, and stores that they are done. */
  async of<T>(account: ExchangeAccount | null, cancel: (names: Names) => Promise<T>): Promise<readonly T[]> {
    const { halts, accounts } = this.parts;
    const cancels = () => this.#eachUser(account === null ? accounts.all : [account], cancel);
    const halt = halts.all.find((one) => (account === null ? one.user === null : halts.isOf(account, one)));
    return halt === undefined ? cancels() : this.#run(halt, cancels);
  }

  /** Continues the cancels of processes that have ended. */
  start(cancel: Cancel): void {
    this.#cancelTimer = this.parts.clock.after(LOOK_MS, () => {
      this.#look(cancel);
      if (!this.#isStopped) this.start(cancel);
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelTimer?.();
  }

  /** Continues each halt's cancels by itself: those of one neither delay nor prevent another's. */
  #look(cancel: Cancel): void {
    const { halts, clock, exchangeClock } = this.parts;
    const open = halts.all.filter(({ cancelsOpen }) => cancelsOpen === true);
    const rights = new Set(open.map(rightOf));
    for (const right of this.#retryAt.keys()) if (!rights.has(right)) this.#retryAt.delete(right);
    for (const halt of open) {
      const right = rightOf(halt);
      // The process that has just halted takes the right first.
      const isEarly = halt.since + HELD_MS > exchangeClock.now() || (this.#retryAt.get(right) ?? 0) > clock.now();
      if (!isEarly && !this.#underWay.has(right)) void this.#goOn(halt, cancel);
    }
  }

  /** Never rejects. */
  async #goOn(halt: Halt, cancel: Cancel): Promise<void> {
    const { halts, accounts, clock } = this.parts;
    const right = rightOf(halt);
    this.#underWay.add(right);
    try {
      if (await this.#isHeldElsewhere(halt)) return;
      const halted = accounts.all.filter((account) => halt.user === null || halts.isOf(account, halt));
      await this.#run(halt, async () => {
        const left = await this.#eachUser(halted, (names) => cancel(names, halt.since + ON_THEIR_WAY_MS));
        const [failure] = left.flatMap(({ failures }) => failures);
        if (failure !== undefined) throw new Error(failure.why);
      });
      this.#retryAt.delete(right);
    } catch (error) {
      this.#retryAt.set(right, clock.now() + RETRY_MS);
      this.#failed(error);
    } finally {
      this.#underWay.delete(right);
    }
  }

  #eachUser<T>(accounts: readonly ExchangeAccount[], cancel: (names: Names) => Promise<T>): Promise<T[]> {
    const users: [ExchangeAccount, ...ExchangeAccount[]][] = [];
    for (const account of accounts) {
      const names = users.find(([first]) => this.parts.users.known.isSame(first, account));
      if (names === undefined) users.push([account]);
      else names.push(account);
    }
    return Promise.all(users.map(cancel));
  }

  async #run<T>(halt: Halt, cancels: () => Promise<T>): Promise<T> {
    const right = rightOf(halt);
    this.#underWay.add(right);
    const stopHolding = this.#keepHolding(right);
    try {
      const done = await cancels();
      await this.parts.halts.hasCancelled(halt);
      return done;
    } finally {
      this.#underWay.delete(right);
      stopHolding();
      await this.parts.journal.giveUp(right).catch(ifFault);
    }
  }

  async #isHeldElsewhere(halt: Halt): Promise<boolean> {
    try {
      return (await this.parts.journal.hold(rightOf(halt), HELD_MS)) > 0;
    } catch (error) {
      ifFault(error);
      // Without the journal it is not known.
      return true;
    }
  }

  /** Returns the function that ends it. */
  #keepHolding(right: string): () => void {
    let stop: () => void = () => undefined;
    const hold = (): void => {
      this.parts.journal.hold(right, HELD_MS).catch((error: unknown) => {
        if (!(error instanceof Fault)) this.#failed(error);
      });
      stop = this.parts.clock.after(RENEW_MS, hold);
    };
    hold();
    return () => stop();
  }

  #failed(error: unknown): void {
    this.parts.instrumentation.failure.publish({ error, what: HALT_CANCELS_FAILURE });
  }
}

const rightOf = ({ account, since }: Halt): string => `cancels of the halt of ${account ?? "all accounts"}, ${since}`;
