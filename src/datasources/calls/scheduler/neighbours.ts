import type { Clock } from "@exchange-graph/contract/clock";
import type { Sign } from "../../../instrumentation/events.js";
import { INSTRUMENTATION, type Instrumentation } from "../../../instrumentation/instrumentation.js";

/** A counter that another client uses too. */
export interface CounterInUse {
  /** The exchange's user or its placeholder, or `IP` for all calls from this address. */
  readonly counter: string;
  /** Share of each of its limits that this gateway uses, from 1/8 to 1. */
  readonly share: number;
  /** When the other client was last detected, Unix ms. */
  readonly noticedAt: number;
}

/** Maximum share beside another client, and minimum share for any number of them. */
const BESIDE_A_NEIGHBOUR = 1 / 2;
const LEAST = 1 / 8;
/**
 * If most calls were refused for this long at the minimum share, reducing it further does not help: the other client takes
 * everything.
 */
const IN_VAIN_AFTER_MS = 20_000;
/** Fewer refusals than this are not significant. */
const IN_VAIN_REFUSALS = 5;
/** Refusals within this time count as one: their calls were sent before the first was processed. */
const ONE_REFUSAL_MS = 3_000;
/**
 * A single count can be a late call of this gateway, or one of its former process. It is evidence only if another one follows
 * after at least this time, and while the first is remembered.
 */
const AGAIN_AFTER_MS = 1_000;
/** Another client that was not detected for this long may be gone. */
const GONE_AFTER_MS = 30_000;
/** The share increases by this step, each time this long has passed without a refusal. */
const STEP = 1 / 16;
const STEP_MS = 15_000;

interface CounterState {
  share: number;
  noticedAt: number;
  refusedAt: number;
  changedAt: number;
  /** Since when the share is at its minimum, with the outcomes of calls since then. */
  least: { readonly since: number; refused: number; answered: number } | undefined;
  /** Whether the other client takes everything that is left. Then it gets half. */
  isGreedy: boolean;
}

/**
 * Detects other clients that use the same limits of the exchange without a common budget, above all another gateway with the same
 * keys, and reduces this gateway's share: to half of each limit at the first detection, by half again with each refusal, and up
 * slowly while there are none. Two clients that both do this converge without refusals. A client that takes everything it can get
 * is left half: leaving it more would cost this gateway's share and avoid no refusal.
 */
export class Neighbours {
  readonly #counters = new Map<string, CounterState>();
  /** When a count was too high for the first time, by counter. */
  readonly #suspectedAt = new Map<string, number>();

  constructor(
    private readonly clock: Clock,
    private readonly instrumentation: Instrumentation = INSTRUMENTATION,
    /** The name of a counter for operators. */
    private readonly nameOf: (counter: string) => string = (counter) => counter,
  ) {}

  /** Share of each limit of a counter that may be used. */
  share(counter: string): number {
    const state = this.#counters.get(counter);
    return state === undefined ? 1 : this.#grown(counter, state).share;
  }

  /** Two counters are one at the exchange. */
  merge(from: string, to: string): void {
    if (from === to) return;
    const state = this.#counters.get(from);
    this.#counters.delete(from);
    this.#suspectedAt.delete(from);
    if (state !== undefined && !this.#counters.has(to)) this.#counters.set(to, state);
  }

  answered(counter: string): void {
    const least = this.#counters.get(counter)?.least;
    if (least !== undefined) least.answered++;
  }

  noticed(counter: string, sign: Sign): void {
    const now = this.clock.now();
    if (sign === "counted" && !this.#counters.has(counter) && !this.#isConfirmed(counter, now)) return;
    this.#suspectedAt.delete(counter);
    const state = this.#counters.get(counter) ?? newCounter(now);
    const before = this.#grown(counter, state).share;
    this.#counters.set(counter, state);
    state.noticedAt = now;
    state.share = Math.min(before, BESIDE_A_NEIGHBOUR);
    if (sign === "refused" && state.least !== undefined) state.least.refused++;
    if (sign === "refused" && now - state.refusedAt >= ONE_REFUSAL_MS) {
      state.refusedAt = now;
      if (before <= BESIDE_A_NEIGHBOUR) shrink(state, before, now);
    }
    if (state.share !== before || sign === "refused") state.changedAt = now;
    this.instrumentation.neighbourSign.publish({ counter: this.nameOf(counter), sign, share: state.share });
  }

  /**
   * Share of the limit per address that may be used. The exchange does not report that count, and another client may share the
   * address or only the keys. It is assumed to share both, because exceeding that limit blocks the address for minutes.
   */
  addressShare(): number {
    return this.#counters.size === 0 || this.shared().length === 0 ? 1 : BESIDE_A_NEIGHBOUR;
  }

  /** Counters with a share below 1. */
  shared(): readonly CounterInUse[] {
    return [...this.#counters].flatMap(([counter, counted]) => {
      const { share, noticedAt } = this.#grown(counter, counted);
      return share < 1 ? [{ counter, share, noticedAt }] : [];
    });
  }

  #isConfirmed(counter: string, now: number): boolean {
    const since = now - (this.#suspectedAt.get(counter) ?? Number.NEGATIVE_INFINITY);
    if (since > GONE_AFTER_MS) this.#suspectedAt.set(counter, now);
    return since >= AGAIN_AFTER_MS && since <= GONE_AFTER_MS;
  }

  /** Increases the share by the time that has passed. A counter whose share is 1 again is dropped. */
  #grown(counter: string, state: CounterState): CounterState {
    const now = this.clock.now();
    const steps = Math.floor((now - state.changedAt) / STEP_MS);
    if (steps <= 0) return state;
    const isGone = now - state.noticedAt > GONE_AFTER_MS;
    const most = isGone ? 1 : BESIDE_A_NEIGHBOUR;
    state.least = undefined;
    if (isGone) state.isGreedy = false;
    state.share = Math.min(Math.max(most, state.share), state.share + steps * STEP);
    state.changedAt += steps * STEP_MS;
    if (state.share >= 1) this.#counters.delete(counter);
    return state;
  }
}

const newCounter = (now: number): CounterState => ({
  share: 1,
  noticedAt: now,
  refusedAt: Number.NEGATIVE_INFINITY,
  changedAt: now,
  least: undefined,
  isGreedy: false,
});

/** Halves the share, as long as that helps. */
function shrink(state: CounterState, before: number, now: number): void {
  state.share = state.isGreedy ? BESIDE_A_NEIGHBOUR : Math.max(LEAST, before / 2);
  if (state.share > LEAST) return;
  state.least ??= { since: now, refused: 0, answered: 0 };
  const { since, refused, answered } = state.least;
  if (now - since < IN_VAIN_AFTER_MS || refused < IN_VAIN_REFUSALS || refused <= answered) return;
  state.isGreedy = true;
  state.share = BESIDE_A_NEIGHBOUR;
}
