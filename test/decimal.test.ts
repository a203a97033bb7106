import fc from "fast-check";
import { expect, it } from "vitest";
import { exact, isZero } from "../src/decimal.js";

const decimalText = fc.oneof(
  fc
    .tuple(fc.constantFrom("", "-"), fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.stringMatching(/^(?:\.\d{1,18})?$/))
    .map(([sign, whole, fraction]) => `${sign}${whole}${fraction}`),
  fc.constantFrom("0", "00", "-0", "0.000", "-0.0", "0.001", "-0.1", "10", "01.00"),
);

it("zero is known in every spelling", () => {
  fc.assert(
    fc.property(decimalText, (text) => {
      expect(isZero(text)).toBe(exact(text).eq("0"));
    }),
  );
});
