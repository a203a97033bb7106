import { type Codec, converted, type Field, type Keys, mapped, named, needed, optionalDecimal, optionalText } from "./codec.js";
import { exact, isZero, plain } from "./decimal.js";
import { withoutControls } from "./exchangeText.js";
import { parseJson } from "./json.js";
import { strictListOf } from "./lists.js";
import { record } from "./record.js";
import { WireError } from "./wireError.js";
import { isMissing } from "./wireValues.js";

/** A fee in one coin. Positive: paid; negative: a rebate received; null: the exchange does not say. */
export interface Fee {
  readonly coin: string | null;
  readonly amount: string | null;
  /** The part that was paid by deduction, with the sign of the amount; null if there is none, or the exchange does not say. */
  readonly deduction: string | null;
}

/** Sign of a paid fee on the wire: v3 writes it positive, v2 negative. */
type PaidFeesAre = "positive" | "negative";

/** A wire amount with the sign of the graph: positive when paid. */
export const paid = (amount: string, sign: PaidFeesAre): string => (sign === "positive" ? amount : plain(exact(amount).neg()));

/** A total of fees, positive when paid; it may be absent. `sign` is the sign of a paid fee on the wire. */
export const optionalFeeTotal = (doc: string, sign: PaidFeesAre, ...keys: Keys) =>
  converted(optionalDecimal(doc, ...keys), (amount) => paid(amount, sign));

/** A part of the fees would be a wrong sum: an entry that cannot be read fails all of them. */
const entry = record({
  coin: needed(optionalText("Fee coin", "feeCoin", "feeCoinCode")),
  amount: needed(optionalDecimal("Fee", "fee", "totalFee")),
  deduction: needed(optionalDecimal("Part that was paid by deduction", "totalDeductionFee")),
});

/** The wire keys of one entry, which distinguish a bare entry from an object keyed by coin. */
const ENTRY_KEYS = Object.values(entry.fields).flatMap(({ keys }) => keys ?? []);

/**
 * The five wire shapes of `feeDetail`, each as a list of entries: a list (possibly empty, or with one entry of empty fields), one
 * bare entry, or JSON text of an object with an entry per coin beside `newFees`, which repeats their sum.
 */
function entriesOf(wire: unknown): readonly unknown[] {
  if (wire === undefined || wire === null || wire === "") return [];
  if (typeof wire === "string") {
    const inner = parsed(wire);
    // A long number is read as text: it would be parsed again without an end.
    if (typeof inner === "string" && inner !== "") throw new WireError("fees as JSON text");
    return entriesOf(inner);
  }
  if (Array.isArray(wire)) return wire;
  if (typeof wire !== "object") throw new WireError("fees");
  if (ENTRY_KEYS.some((key) => Object.hasOwn(wire, key))) return [wire];
  return Object.entries(wire).flatMap(([key, value]) => (key === "newFees" ? [] : [value]));
}

function parsed(text: string): unknown {
  try {
    return parseJson(withoutControls(text));
  } catch {
    throw new WireError("fees as JSON text");
  }
}

/** Fees in any of the wire's shapes; null if there are none. An entry without a coin and an amount means "no fee yet". */
export function fees(doc: string, sign: PaidFeesAre, ...keys: Keys): Field<readonly Fee[] | null> {
  const entries: Codec<readonly (Fee | undefined)[]> = mapped(strictListOf(entry), (list) =>
    list.map(({ coin, amount, deduction }) =>
      coin === null && (amount === null || isZero(amount))
        ? undefined
        : {
            coin,
            amount: amount === null ? null : paid(amount, sign),
            deduction: deduction === null || isZero(deduction) ? null : paid(deduction, sign),
          },
    ),
  );
  return {
    doc,
    optional: true,
    ...named(keys),
    decode: (wire) => (isMissing(wire) ? null : entries.decode(entriesOf(wire)).filter((fee) => fee !== undefined)),
  };
}
