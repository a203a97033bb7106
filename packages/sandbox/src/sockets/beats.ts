import type { Clock } from "@exchange-graph/contract/clock";
import { guarded, type Report } from "./guarded.js";

interface Beat {
  readonly members: Set<() => void>;
  cancel: () => void;
}

/**
 * Periodic tasks: all members of a period are called together, at each of its multiples. A period without members has no timer.
 */
export class Beats {
  readonly #beats = new Map<number, Beat>();

  /** `before` runs ahead of every beat. */
  constructor(
    private readonly clock: Clock,
    private readonly before: () => void,
    private readonly report: Report,
  ) {}

  /** Calls `member` every `periodMs`; the returned function removes it. */
  join(periodMs: number, member: () => void): () => void {
    const beat = this.#beats.get(periodMs) ?? this.#begin(periodMs);
    beat.members.add(member);
    return () => {
      beat.members.delete(member);
      if (beat.members.size > 0) return;
      beat.cancel();
      this.#beats.delete(periodMs);
    };
  }

  #begin(periodMs: number): Beat {
    const beat: Beat = { members: new Set(), cancel: () => undefined };
    const wait = () => {
      beat.cancel = this.clock.after(periodMs - (this.clock.now() % periodMs), () => {
        wait();
        guarded(this.report, this.before);
        for (const member of beat.members) guarded(this.report, member);
      });
    };
    wait();
    this.#beats.set(periodMs, beat);
    return beat;
  }
}
