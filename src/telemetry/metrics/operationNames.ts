/** Names that no operation can have. */
const ANONYMOUS = "(anonymous)";
const OTHER = "(other)";

const MAX_NAMES = 100;
const MAX_LENGTH = 100;

/**
 * Operation names as a label. Clients choose them, so only the first hundred are told apart: every value of a label is
 * a time series for ever.
 */
export class OperationNames {
  readonly #known = new Set<string>();

  label(name: string | undefined): string {
    if (name === undefined) return ANONYMOUS;
    if (this.#known.has(name)) return name;
    if (this.#known.size >= MAX_NAMES || name.length > MAX_LENGTH) return OTHER;
    this.#known.add(name);
    return name;
  }
}
