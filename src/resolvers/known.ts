import { badInput } from "../datasources/index.js";
import { type EnumObject, UNKNOWN } from "../schema/enums/exchangeEnum.js";

type Open<T extends string> = EnumObject<T | typeof UNKNOWN>;

/**
 * Takes an enum argument. An enum of the exchange has `UNKNOWN` for what answers alone can say: as an argument it is
 * refused with `BAD_USER_INPUT`.
 */
export function known<T extends string>(argument: string, values: Open<T>, value: T | typeof UNKNOWN): T;
export function known<T extends string>(
  argument: string,
  values: Open<T>,
  value: T | typeof UNKNOWN | null | undefined,
): T | null | undefined;
export function known<T extends string>(
  argument: string,
  values: Open<T>,
  value: T | typeof UNKNOWN | null | undefined,
): T | null | undefined {
  if (value !== UNKNOWN) return value;
  throw badInput([{ argument, rule: mustBeOneOf(values) }]);
}

/** The rule that `UNKNOWN` breaks. */
export const mustBeOneOf = (values: Readonly<Record<string, unknown>>): string =>
  `must be one of ${Object.keys(values)
    .filter((name) => name !== UNKNOWN)
    .join(", ")}`;
