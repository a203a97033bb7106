import type { GraphQLError, ResponsePath } from "graphql";
import type { Values } from "./arguments.js";

/** Path in the response; undefined for the response as a whole. */
export type Path = ResponsePath | undefined;

/** Rows that are written in one slice: a few milliseconds for the largest rows. */
const ROWS_PER_SLICE = 500;

/** Waits until an execution may continue; rejects if no client waits any more. */
export type Pause = () => Promise<void>;

/** The arguments of fields, for executions with the same variables. */
export type ReadArguments = Map<(variables: Values) => Values, Values>;

/** State of one execution. */
export class Run {
  readonly errors: GraphQLError[] = [];
  #nulled: Set<Path> | undefined;
  #rows = 0;
  #pausing: Promise<void> | undefined;

  constructor(
    readonly context: unknown,
    /** Coerced, with defaults. */
    readonly variables: Values,
    private readonly pause?: Pause,
    private readonly readArguments?: ReadArguments,
  ) {}

  /** The arguments of a field. */
  argumentsOf(read: (variables: Values) => Values): Values {
    const cached = this.readArguments?.get(read);
    if (cached !== undefined) return cached;
    const values = read(this.variables);
    this.readArguments?.set(read, values);
    return values;
  }

  /**
   * Counts a written row. Returns a promise to await before the next row, if the slice is over: lists beside each other share it, so
   * that fifty of them do not each write a slice in one turn.
   */
  wroteRow(): Promise<void> | undefined {
    if (this.pause === undefined || this.#pausing !== undefined) return this.#pausing;
    if (++this.#rows < ROWS_PER_SLICE) return undefined;
    this.#rows = 0;
    this.#pausing = this.pause().finally(() => {
      this.#pausing = undefined;
    });
    return this.#pausing;
  }

  /** Records an error that made this path null. Errors below a path that is already null are dropped. */
  fail(error: GraphQLError, path: Path): void {
    this.#nulled ??= new Set();
    for (let place = path; place !== undefined; place = place.prev) if (this.#nulled.has(place)) return;
    if (this.#nulled.has(undefined)) return;
    this.#nulled.add(path);
    this.errors.push(error);
  }
}
