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
  const names = Object.keys(values).filter((name) => name !== UNKNOWN);
  throw badInput([{ argument, rule: `must be one of ${names.join(", ")}` }]);
}
