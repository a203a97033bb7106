import type { GraphQLError, ResponsePath } from "graphql";

/** Where in the answer something stands; nothing for the answer as a whole. */
export type Path = ResponsePath | undefined;

/** Rows that are written in one go: some milliseconds' worth of the largest. */
const ROWS_PER_SLICE = 500;

/** Waits until an execution may go on; rejects when nobody wants it any more. */
export type Pause = () => Promise<void>;

/** One execution under way. */
export class Run {
  readonly errors: GraphQLError[] = [];
  readonly #nulled = new Set<Path>();
  #rows = 0;

  constructor(
    readonly context: unknown,
    /** Coerced, defaults filled in. */
    readonly variables: Readonly<Record<string, unknown>>,
    private readonly pause?: Pause,
  ) {}

  /** One more row of a list was written. Gives what is to be waited for before the next one, if anything is. */
  wroteRow(): Promise<void> | undefined {
    if (++this.#rows < ROWS_PER_SLICE || this.pause === undefined) return undefined;
    this.#rows = 0;
    return this.pause();
  }

  /** An error has made this place null. Below a place that is null already it tells nobody anything. */
  fail(error: GraphQLError, path: Path): void {
    for (let place = path; place !== undefined; place = place.prev) if (this.#nulled.has(place)) return;
    if (this.#nulled.has(undefined)) return;
    this.#nulled.add(path);
    this.errors.push(error);
  }
}
