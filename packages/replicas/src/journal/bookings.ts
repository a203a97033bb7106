import type { DecimalText } from "@exchange-graph/contract/decimal";
import { ANONYMOUS, type DayLimit, type NewEntry } from "../../../../src/datasources/writes/index.js";

/** An entry's addition to one figure of its day, and the limit of that figure. */
interface Booking extends Pick<DayLimit, "kind" | "unit"> {
  readonly whose: string;
  readonly adds: DecimalText;
  readonly limit: DayLimit | undefined;
}

/** The bookings of an entry. All processes lock figures in the same order, so that they cannot deadlock. */
export function bookingsOf({ user, who, charge }: NewEntry, limits: readonly DayLimit[]): readonly Booking[] {
  if (charge === undefined) return [];
  const { coin, qty, value } = charge;
  return [["account", user] as const, ["client", who ?? ANONYMOUS] as const].flatMap(([kind, whose]) =>
    [
      { unit: "", adds: value ?? "0" },
      { unit: coin, adds: qty },
    ].map(({ unit, adds }) => ({
      ...{ kind, whose, unit, adds },
      limit: limits.find((one) => one.kind === kind && one.unit === unit),
    })),
  );
}
