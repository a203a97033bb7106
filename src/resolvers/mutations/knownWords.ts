import { badInput } from "../../datasources/index.js";
import { type EnumObject, UNKNOWN } from "../../schema/enums/exchangeEnum.js";
import { mustBeOneOf } from "../known.js";

/** The enums of an input, by its fields. */
export type EnumsOf<I> = { readonly [K in keyof I]?: EnumObject<string> };

/** An input whose enums hold only what can be said. */
export type Known<I, E> = { readonly [K in keyof I]: K extends keyof E ? Exclude<I[K], typeof UNKNOWN> : I[K] };

/**
 * Takes the enums of an input. The exchange's enums have `UNKNOWN` for what answers alone can say: in an input it is
 * refused with `BAD_USER_INPUT`. `within` is where the input stands in a larger one.
 */
export function knownWords<I extends object, E extends EnumsOf<I>>(input: I, enums: E, within = ""): Known<I, E> {
  const lists = new Map<string, EnumObject<string> | undefined>(Object.entries(enums));
  const violations = Object.entries(input).flatMap(([name, word]) => {
    const values = lists.get(name);
    if (values === undefined || word !== UNKNOWN) return [];
    return [{ argument: `${within}${name}`, rule: mustBeOneOf(values) }];
  });
  if (violations.length > 0) throw badInput(violations);
  return input as Known<I, E>;
}
