import { type Clock, SECOND_MS } from "@exchange-graph/contract/clock";
import type { Instrumentation } from "../../../instrumentation/instrumentation.js";
import type { Accounts, ExchangeAccount, ExchangeClock } from "../../calls/index.js";
import { Fault, ifFault } from "../../errors/index.js";
import type { WriteJournal } from "../journal/writeJournal.js";
import type { Halt } from "./haltStore.js";
import type { Halts } from "./halts.js";

/** Interval at which halts whose orders are not all cancelled are looked for. */
const LOOK_MS = 2 * SECOND_MS;
/** The same after cancels that have not cancelled all orders. */
const RETRY_MS = 30 * SECOND_MS;
/** Duration of the right to cancel. Another process continues when it has expired. */
const HELD_MS = 10 * SECOND_MS;
const RENEW_MS = 3 * SECOND_MS;
/** Time after a halt within which orders that were being sent are placed. */
const ON_THEIR_WAY_MS = 60 * SECOND_MS;

/** What an event of `failure` is about. */
export const HALT_CANCELS_FAILURE = "orders of a halted account could not be cancelled: it is tried again until the halt ends";

/** Cancels the orders of an account that can add risk and were placed up to this time, Unix ms. Resolves to those that are left. */
type Cancel = (
  account: ExchangeAccount,
  placedUpTo: number,
) => Promise<{ readonly failures: readonly { readonly why: string }[] }>;

/**
 * The cancels of halts. A process may end in the middle of them: the stored halt shows that, and the next process, or another one
 * that shares the journal, continues them, one process at a time. Orders placed after the halt are not cancelled, because somebody
 * has placed them in spite of it.
 */
export class HaltCancels {
  readonly #underWay = new Set<string>();
  #cancelTimer: (() => void) | undefined;
  #isStopped = false;

  constructor(
    private readonly parts: {
      readonly halts: Halts;
      readonly accounts: Pick<Accounts, "all">;
      readonly journal: Pick<WriteJournal, "hold" | "giveUp">;
      readonly exchangeClock: Pick<ExchangeClock, "now">;
      readonly clock: Clock;
      readonly instrumentation: Instrumentation;
    },
  ) {}

  /** Makes the cancels of a halt with `cancelsOpen`, of an account or of all, and stores that they are done. */
  async of<T>(account: ExchangeAccount | null, cancels: () => Promise<T>): Promise<T> {
    const { halts } = this.parts;
    const halt = halts.all.find((one) => (account === null ? one.user === null : halts.isOf(account, one)));
    return halt === undefined ? cancels() : this.#run(halt, cancels);
  }

  /** Continues the cancels of processes that have ended. */
  start(cancel: Cancel, afterMs = LOOK_MS): void {
    this.#cancelTimer = this.parts.clock.after(afterMs, () => {
      void this.#look(cancel).then((nextMs) => {
        if (!this.#isStopped) this.start(cancel, nextMs);
      });
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelTimer?.();
  }

  /** Never rejects. Resolves to the time until the next look, in ms. */
  async #look(cancel: Cancel): Promise<number> {
    try {
      await this.#goOn(cancel);
      return LOOK_MS;
    } catch (error) {
      this.#failed(error);
      return RETRY_MS;
    }
  }

  async #goOn(cancel: Cancel): Promise<void> {
    const { halts, accounts, exchangeClock } = this.parts;
    for (const halt of halts.all) {
      // The process that has just halted takes the right first.
      if (halt.cancelsOpen !== true || halt.since + HELD_MS > exchangeClock.now()) continue;
      if (this.#underWay.has(rightOf(halt)) || (await this.#isHeldElsewhere(halt))) continue;
      const halted = accounts.all.filter((account) => halt.user === null || halts.isOf(account, halt));
      await this.#run(halt, async () => {
        const left = await Promise.all(halted.map((account) => cancel(account, halt.since + ON_THEIR_WAY_MS)));
        const [failure] = left.flatMap(({ failures }) => failures);
        if (failure !== undefined) throw new Error(failure.why);
      });
    }
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
