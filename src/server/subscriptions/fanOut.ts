import type { ExecutionArgs, ExecutionResult, GraphQLSchema } from "graphql";
import type { Clock } from "../../clock.js";
import { type Attempt, Group } from "./group.js";
import { type DeliveryCounts, Member, type Seat } from "./member.js";
import type { Pace } from "./pace.js";

/** Distinct operations that may run at the same time; one more is refused. */
const MAX_GROUPS = 10_000;

/** A stream that yields nothing: the frames are written past it, and it ends when they do. */
export interface Seated extends AsyncGenerator<never, void, void> {}

/** All running groups, by what makes their answers equal. */
export class FanOut {
  readonly #groups = new Map<string, { readonly group: Group; readonly opened: Promise<ExecutionResult | undefined> }>();

  constructor(
    readonly schema: GraphQLSchema,
    private readonly clock: Clock,
    private readonly counts: DeliveryCounts,
  ) {}

  get groups(): number {
    return this.#groups.size;
  }

  get listeners(): number {
    let count = 0;
    for (const { group } of this.#groups.values()) count += group.size;
    return count;
  }

  /**
   * Takes a seat in the group of this key, opening it if need be. Gives a stream for `graphql-ws` to wait on, or the
   * answer of an operation that cannot be subscribed to.
   */
  async join(key: string, pace: Pace, attempt: () => Attempt, seat: Seat): Promise<Seated | ExecutionResult> {
    const known = this.#groups.get(key);
    if (known === undefined && this.#groups.size >= MAX_GROUPS) throw new Error("too many distinct subscriptions at once");
    const { group, opened } = known ?? this.#open(key, pace, attempt);
    const refused = await opened;
    return refused ?? this.#seated(group, new Member(seat, pace, this.clock, this.counts));
  }

  #open(key: string, pace: Pace, attempt: () => Attempt) {
    const group = new Group(attempt, pace, this.clock, () => {
      if (this.#groups.get(key)?.group === group) this.#groups.delete(key);
    });
    const forget = () => this.#groups.delete(key);
    const opened = group.open().then(
      (refused) => {
        if (refused !== undefined) forget();
        return refused;
      },
      (error: unknown) => {
        forget();
        throw error;
      },
    );
    const entry = { group, opened };
    this.#groups.set(key, entry);
    return entry;
  }

  #seated(group: Group, member: Member): Seated {
    let finished: () => void = () => undefined;
    let failed: (error: unknown) => void = () => undefined;
    const end = new Promise<IteratorReturnResult<void>>((resolve, reject) => {
      finished = () => resolve({ done: true, value: undefined });
      failed = reject;
    });
    const listener = { member, finished, failed };
    let joined = false;
    const leave = async (): Promise<IteratorReturnResult<void>> => {
      group.leave(listener);
      // Gone before it took its seat: whoever opened the group for it alone has nobody to close it.
      if (!joined) group.closeIfEmpty();
      finished();
      return { done: true, value: undefined };
    };
    return {
      [Symbol.asyncIterator]() {
        return this;
      },
      // Joined only now: `graphql-ws` has registered the subscription, so a `complete` of the client will find it.
      next() {
        if (!joined) group.join(listener);
        joined = true;
        return end;
      },
      return: leave,
      throw: leave,
    };
  }
}

/** What makes the answers of two subscriptions equal. */
export const groupKey = (principal: string, { variableValues, operationName }: ExecutionArgs, query: string): string =>
  JSON.stringify([principal, operationName ?? null, variableValues ?? null, query]);
