import { addDecimals } from "@exchange-graph/client";

/** A sum of which parts may be missing. */
export interface Total {
  /** The sum of the parts that are there; null if none is. */
  readonly value: string | null;
  /** Names of the missing parts. */
  readonly without: readonly string[];
}

interface Part {
  readonly name: string;
  /** Decimal text; null if it could not be read. */
  readonly value: string | null;
}

const UNREAD: Total = { value: null, without: [] };

/**
 * Adds up values. A missing one is not zero: its name is part of the result. Nothing has the sum zero; parts that have not been
 * read (undefined or null) have none.
 */
export function totalOf(parts: readonly Part[] | null | undefined): Total {
  if (parts === null || parts === undefined) return UNREAD;
  const present = parts.flatMap(({ value }) => (value === null ? [] : [value]));
  const without = parts.filter(({ value }) => value === null).map(({ name }) => name);
  return { value: present.length === 0 && without.length > 0 ? null : present.reduce(addDecimals, "0"), without };
}

/** The sum if no part is missing; otherwise null. */
export const whole = ({ value, without }: Total): string | null => (without.length === 0 ? value : null);
