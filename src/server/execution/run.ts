import type { GraphQLError, ResponsePath } from "graphql";

/** Where in the answer something stands; nothing for the answer as a whole. */
export type Path = ResponsePath | undefined;

/** One execution under way. */
export class Run {
  readonly errors: GraphQLError[] = [];
  readonly #nulled = new Set<Path>();

  constructor(
    readonly context: unknown,
    /** Coerced, defaults filled in. */
    readonly variables: Readonly<Record<string, unknown>>,
  ) {}

  /** An error has made this place null. Below a place that is null already it tells nobody anything. */
  fail(error: GraphQLError, path: Path): void {
    for (let place = path; place !== undefined; place = place.prev) if (this.#nulled.has(place)) return;
    if (this.#nulled.has(undefined)) return;
    this.#nulled.add(path);
    this.errors.push(error);
  }
}
