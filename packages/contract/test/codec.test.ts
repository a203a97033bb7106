import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Codec,
  decimal,
  decimalAboveZero,
  flag,
  id,
  integer,
  mapped,
  needed,
  nothing,
  optional,
  optionalDecimal,
  optionalFlag,
  optionalInteger,
  optionalText,
  optionalTime,
  optionalToken,
  text,
  time,
  token,
  unboundedDecimal,
} from "../src/codec.js";
import { exact, plain } from "../src/decimal.js";
import { list, listOf, nested, strictList, texts } from "../src/lists.js";
import { record, row, withWireKeys } from "../src/record.js";
import { mapRows, rowsRead } from "../src/rows.js";
import { type Finding, UnknownValue, WireError } from "../src/wireError.js";

/** What a codec says about a value it refuses. */
const complaint = (codec: Codec<unknown>, wire: unknown): string => {
  try {
    codec.decode(wire);
  } catch (error) {
    if (error instanceof WireError) return error.message;
    throw error;
  }
  throw new Error("it was taken");
};

const MISSING = [undefined, null, ""];

describe("decimals", () => {
  const price = decimal("Price");

  it.each(["0", "-1.5", "123456789012345678901234567890.123456789"])("keep every digit of %s", (wire) => {
    expect(price.decode(wire)).toBe(wire);
  });

  it.each([
    ["60967.8200000000000000", "60967.82"],
    ["10.0000000000000000", "10"],
    ["-0.00", "0"],
  ])("are read without the zeros that %s is filled up with: %s", (wire, expected) => {
    expect(price.decode(wire)).toBe(expected);
  });

  it.each([
    ["1e3", "1000"],
    [".5", "0.5"],
    ["-.25", "-0.25"],
    [".5e-3", "0.0005"],
    ["1E+3", "1000"],
    ["1.5e-7", "0.00000015"],
    ["-1.50e-3", "-0.0015"],
    ["12e-1", "1.2"],
    ["123.456e1", "1234.56"],
    ["0e5", "0"],
    [1e-7, "0.0000001"],
    [1e21, "1000000000000000000000"],
    [64250.1, "64250.1"],
    [0, "0"],
  ])("come out of %o without an exponent: %s", (wire, expected) => {
    expect(price.decode(wire)).toBe(expected);
  });

  it("are worth the same without their exponent", () => {
    const mantissa = fc.tuple(
      fc.constantFrom("", "-"),
      fc.bigInt(0n, 10n ** 20n),
      fc.string({ unit: fc.constantFrom(..."0123456789"), maxLength: 18 }),
    );
    fc.assert(
      fc.property(mantissa, fc.integer({ min: -60, max: 60 }), ([sign, whole, fraction], exponent) => {
        const wire = `${sign}${whole}${fraction === "" ? "" : `.${fraction}`}e${exponent}`;
        const decoded = price.decode(wire);
        expect(decoded).toMatch(/^-?\d+(\.\d+)?$/);
        expect(plain(exact(decoded))).toBe(plain(exact(wire)));
      }),
    );
  });

  it.each([
    [undefined],
    [null],
    [""],
    ["ten"],
    ["1."],
    ["+1"],
    ["1,000"],
    [" 1"],
    ["0x10"],
    ["NaN"],
    ["Infinity"],
    [Number.NaN],
    [Number.POSITIVE_INFINITY],
    ["1e101"],
    ["1e-101"],
    ["1e100"],
    ["7".repeat(101)],
    ["7".repeat(5_000_000)],
    ["1e999999999999"],
    [true],
    [{}],
    [["1"]],
  ])("are not %o", (wire) => {
    expect(complaint(price, wire)).toContain("expected a decimal number");
  });

  it("may be missing where the contract says so", () => {
    for (const wire of MISSING) {
      expect(optionalDecimal("").decode(wire)).toBeNull();
      expect(unboundedDecimal("").decode(wire)).toBeNull();
      expect(decimalAboveZero("").decode(wire)).toBeNull();
    }
  });

  it.each(["-1", "-1.0", "-1.00", -1, "unlimited", "Unlimited"])("have no bound at %o", (wire) => {
    expect(unboundedDecimal("").decode(wire)).toBeNull();
  });

  it.each(["-1.5", "-10", "1", "0"])("have a bound at %s", (wire) => {
    expect(unboundedDecimal("").decode(wire)).toBe(wire);
  });

  it.each(["0", "0.00", "-1", "-0.5"])("above zero are not %s", (wire) => {
    expect(decimalAboveZero("").decode(wire)).toBeNull();
  });

  it.each(["0.01", "10"])("above zero are %s", (wire) => {
    expect(decimalAboveZero("").decode(wire)).toBe(wire);
  });
});

describe("texts", () => {
  it("take a bare number as its digits", () => {
    expect(text("").decode(8800112233)).toBe("8800112233");
    expect(text("").decode(1391230000000005000n)).toBe("1391230000000005000");
  });

  it("are null only where the contract says so", () => {
    for (const wire of MISSING) expect(optionalText("").decode(wire)).toBeNull();
  });

  it.each([[undefined], [null], [""], [true], [{}], [[]]])("are not %o", (wire) => {
    expect(complaint(text(""), wire)).toContain("expected text");
  });
});

describe("whole numbers", () => {
  it.each([
    ["42", 42],
    [42, 42],
    ["-7", -7],
    ["007", 7],
    [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  ])("read %o", (wire, expected) => {
    expect(integer("").decode(wire)).toBe(expected);
  });

  it.each([["1.0"], [1.5], ["9007199254740993"], [9007199254740992], ["1e3"], [""], [null], [true]])("do not read %o", (wire) => {
    expect(complaint(integer(""), wire)).toContain("expected a whole number");
  });

  it("may be missing where the contract says so", () => {
    for (const wire of MISSING) expect(optionalInteger("").decode(wire)).toBeNull();
  });
});

describe("times", () => {
  it("are Unix milliseconds", () => {
    expect(time("").decode("1767225600123")).toBe(1767225600123);
    expect(time("").decode(1767225600123)).toBe(1767225600123);
  });

  it("are lifted from seconds, which their size gives away", () => {
    expect(time("").decode("1767225600")).toBe(1767225600000);
    expect(time("").decode("99999999999")).toBe(99999999999000);
    expect(time("").decode("100000000000")).toBe(100000000000);
  });

  it("stay zero at zero", () => {
    expect(time("").decode("0")).toBe(0);
  });

  it.each([["-1"], [-5], ["2026-01-01"], ["1767225600123.5"], [""], [null]])("are not %o", (wire) => {
    expect(() => time("").decode(wire)).toThrow(WireError);
  });

  it.each([...MISSING, "-1", -1])("are not set at %o", (wire) => {
    expect(optionalTime("").decode(wire)).toBeNull();
  });

  it("are refused below zero even where they may be missing", () => {
    expect(complaint(optionalTime(""), "-2")).toContain("expected a Unix time");
  });
});

describe("flags", () => {
  it.each(["yes", "YES", "Yes", "true", "on", true])("are up at %o", (wire) => {
    expect(flag("").decode(wire)).toBe(true);
  });

  it.each(["no", "NO", "No", "false", "off", false])("are down at %o", (wire) => {
    expect(flag("").decode(wire)).toBe(false);
  });

  it.each([[1], [0], ["1"], ["y"], [""], [null], [undefined], ["constructor"], ["__proto__"], ["valueof"]])(
    "are not %o",
    (wire) => {
      expect(complaint(flag(""), wire)).toContain("expected yes or no");
    },
  );

  it("may be missing where the contract says so", () => {
    for (const wire of MISSING) expect(optionalFlag("").decode(wire)).toBeNull();
  });
});

describe("enum values", () => {
  const status = record({ status: token("Status", ["new", "Filled"], { live: "new" }) });
  const side = record({ side: optionalToken("Side", ["buy", "sell"]) });

  it("are read in any letter case, beside the exchange's own text", () => {
    expect(status.decode({ status: "FILLED" })).toEqual({ status: "Filled", statusRaw: "FILLED" });
  });

  it("are read from another wire name", () => {
    expect(status.decode({ status: "Live" })).toEqual({ status: "new", statusRaw: "Live" });
  });

  it.each(["paused", "constructor", "__proto__", "UNKNOWN"])("are UNKNOWN when not listed: %s", (wire) => {
    expect(status.decode({ status: wire })).toEqual({ status: "UNKNOWN", statusRaw: wire });
  });

  it("are null where they may be missing, empty text too", () => {
    for (const wire of MISSING) expect(complaint(status, { status: wire })).toBe("data.status: expected text");
    for (const wire of MISSING) expect(side.decode({ side: wire })).toEqual({ side: null, sideRaw: null });
  });

  it("are a broken contract when they are no text at all", () => {
    expect(complaint(status, { status: {} })).toBe("data.status: expected text");
    expect(complaint(status, {})).toBe("data.status: expected text");
  });
});

describe("records", () => {
  it("carry the named fields and nothing else", () => {
    expect(record({ coin: text("") }).decode({ coin: "BTC", secret: "1" })).toEqual({ coin: "BTC" });
  });

  it("take the first key that is there and not empty", () => {
    const codec = record({ updatedTime: optionalTime("", "uTime", "utime") });
    expect(codec.decode({ uTime: "1767225600001", utime: "1767225600002" }).updatedTime).toBe(1767225600001);
    for (const uTime of MISSING) expect(codec.decode({ uTime, utime: "1767225600002" }).updatedTime).toBe(1767225600002);
    expect(codec.decode({ updatedTime: "1767225600003" }).updatedTime).toBeNull();
  });

  it.each([[null], [undefined], [""], ["{}"], [7], [[]]])("are not %o", (wire) => {
    expect(complaint(record({}), wire)).toBe("data: expected an object");
  });

  it("may be missing altogether where the contract says so", () => {
    for (const wire of MISSING) expect(optional(record({ coin: text("") })).decode(wire)).toBeNull();
  });

  it("can have other wire keys, and the other fields keep theirs", () => {
    const fields = { size: decimal(""), coin: text("") };
    const again = withWireKeys(fields, { size: ["qty", "sz"] });
    expect(record(again).decode({ sz: "1", coin: "BTC" })).toEqual({ size: "1", coin: "BTC" });
    expect(record(fields).decode({ size: "1", coin: "BTC" })).toEqual({ size: "1", coin: "BTC" });
  });

  it("show every wire field they know, nested ones included", () => {
    const inner = record({ fee: decimal("Fee") });
    const outer = record({ detail: nested("Detail", inner), rows: list("Rows", inner) });
    expect(outer.fields.detail.fields).toBe(inner.fields);
    expect(outer.fields.rows.fields).toBe(inner.fields);
    expect(optional(outer).fields).toBe(outer.fields);
    expect(mapped(outer, () => 1).fields).toBe(outer.fields);
  });
});

describe("lists", () => {
  it.each(MISSING)("are empty at %o", (wire) => {
    expect(listOf(text("")).decode(wire)).toEqual([]);
    expect(texts("").decode(wire)).toEqual([]);
  });

  it.each([[{}], ["BTC"], [7], [false]])("are not %o", (wire) => {
    expect(complaint(listOf(text("")), wire)).toBe("data: expected a list");
  });
});

describe("a list of rows", () => {
  const order = record({
    orderId: id("", "orderId", "id"),
    size: optionalDecimal(""),
    side: optionalToken("", ["buy", "sell"]),
    fills: list("", record({ px: decimal("") })),
  });
  const page = mapped(record({ list: list("", order, "rows") }), ({ list }) => list);

  const errorsOf = (found: readonly Finding[]) => found.filter((one) => one instanceof WireError);

  it("loses the row alone that cannot be read, and keeps its place", () => {
    const found: Finding[] = [];
    const wire = { rows: [{ orderId: "1" }, { id: 2, fills: {} }, { orderId: "", size: "3" }, { orderId: "4", size: "" }] };
    const rows = page.decode(wire, found);
    const empty = { size: null, side: null, sideRaw: null, fills: [] };
    expect(rows).toEqual([{ orderId: "1", ...empty }, found[0], found[1], { orderId: "4", ...empty }]);
    expect(errorsOf(found).map(({ message, field, rowId }) => [message, field, rowId])).toEqual([
      ["data.rows[1].fills: expected a list", "rows.fills", "2"],
      ["data.rows[2].orderId: expected text", "rows.orderId", undefined],
    ]);
  });

  it("loses the field alone that cannot be read and that the row does not need, and says so", () => {
    const found: Finding[] = [];
    const rows = page.decode(
      {
        rows: [
          { orderId: "1", size: "1,1", side: {} },
          { orderId: "2", size: "2", side: "buy" },
        ],
      },
      found,
    );
    expect(rows).toEqual([
      { orderId: "1", size: null, side: null, sideRaw: null, fills: [] },
      { orderId: "2", size: "2", side: "buy", sideRaw: "buy", fills: [] },
    ]);
    expect(errorsOf(found).map(({ message, field, isOfField }) => [message, field, isOfField])).toEqual([
      ["data.rows[0].size: expected a decimal number", "rows.size", true],
      ["data.rows[0].side: expected text", "rows.side", true],
    ]);
  });

  it("loses the row with a field that it needs whenever there is one", () => {
    const rows = record({ rows: list("", record({ cursor: needed(optionalText("")) })) });
    expect(rows.decode({ rows: [{}] })).toEqual({ rows: [{ cursor: null }] });
    expect(rows.decode({ rows: [{ cursor: {} }] }, []).rows[0]).toBeInstanceOf(WireError);
  });

  it("tells of a value that the contract does not list, and reads the row", () => {
    const found: Finding[] = [];
    const rows = page.decode(
      {
        rows: [
          { orderId: "1", side: "hedge" },
          { orderId: "2", side: "short", size: "x" },
        ],
      },
      found,
    );
    expect(rowsRead(rows).map(({ side }) => side)).toEqual(["UNKNOWN", "UNKNOWN"]);
    expect(found.filter((one) => one instanceof UnknownValue).map(({ field, raw }) => [field, raw])).toEqual([
      ["rows.side", "hedge"],
      ["rows.side", "short"],
    ]);
  });

  it("loses the innermost row, and that one alone", () => {
    const found: Finding[] = [];
    const [row] = page.decode({ rows: [{ orderId: "1", fills: [{ px: "1" }, { px: "" }] }] }, found);
    expect(row).toEqual({ orderId: "1", size: null, side: null, sideRaw: null, fills: [{ px: "1" }, found[0]] });
    expect(errorsOf(found).map(({ message, field }) => [message, field])).toEqual([
      ["data.rows[0].fills[1].px: expected a decimal number", "rows.fills.px"],
    ]);
  });

  it("reports a row once, even if several of its fields cannot be decoded", () => {
    const found: Finding[] = [];
    page.decode({ rows: [{ orderId: "", fills: [{ px: "" }], size: "x" }] }, found);
    expect(errorsOf(found).map(({ message }) => message)).toEqual(["data.rows[0].orderId: expected text"]);
  });

  it("fails as a whole if the rows that cannot be decoded are not collected, or if it has no meaning without them", () => {
    expect(complaint(page, { rows: [{ orderId: "1" }, {}] })).toBe("data.rows[1].orderId: expected text");
    const levels = record({ asks: strictList("", row({ price: decimal("") })) });
    expect(() => levels.decode({ asks: [["1"], []] }, [])).toThrow("data.asks[1].price: expected a decimal number");
  });

  it("is left out or kept in its place by those who take rows", () => {
    const rows = page.decode({ rows: [{ orderId: "1" }, { orderId: "2", fills: {} }] }, []);
    expect(rowsRead(rows).map(({ orderId }) => orderId)).toEqual(["1"]);
    expect(mapRows(rows, ({ orderId }) => orderId)).toEqual(["1", rows[1]]);
  });
});

describe("rows", () => {
  const level = row({ price: decimal(""), size: decimal("") });

  it("name their positions, and leave the rest behind", () => {
    expect(level.decode(["1", "2", "3"])).toEqual({ price: "1", size: "2" });
  });

  it("name the field that is missing", () => {
    expect(complaint(level, ["1"])).toBe("data.size: expected a decimal number");
    expect(complaint(level, { price: "1" })).toBe("data: expected a row");
  });
});

describe("nothing", () => {
  it.each(["", null, undefined, true, "success", {}])("is what %o means", (wire) => {
    expect(nothing.decode(wire)).toBeNull();
  });
});

describe("a broken payload", () => {
  const page = record({
    list: list("", record({ fills: list("", record({ price: decimal("", "px") }), "fillList") })),
    note: optionalText(""),
  });

  it("is located down to the wire key", () => {
    const wire = { list: [{ fillList: [] }, { fillList: [{ px: "1" }, { px: "1" }, { px: "one" }] }] };
    expect(complaint(page, wire)).toBe("data.list[1].fillList[2].px: expected a decimal number");
  });

  it("is located inside reshaped and optional records", () => {
    expect(complaint(optional(mapped(page, ({ note }) => note)), { list: [{ fillList: [null] }] })).toBe(
      "data.list[0].fillList[0]: expected an object",
    );
  });

  it("never shows the value that broke it", () => {
    const codecs: readonly Codec<unknown>[] = [
      decimal(""),
      integer(""),
      time(""),
      flag(""),
      listOf(text("")),
      record({}),
      row({}),
    ];
    const secret = "s3cr3t-passphrase";
    for (const codec of codecs) {
      expect(complaint(codec, secret)).not.toContain(secret);
      expect(complaint(record({ field: { ...codec, doc: "" } }), { field: secret })).not.toContain(secret);
    }
  });

  it("passes on what is no fault of the payload", () => {
    const broken: Codec<never> = {
      decode() {
        throw new RangeError("ours");
      },
    };
    expect(() => listOf(broken).decode([1])).toThrow(RangeError);
    expect(() => record({ field: { ...broken, doc: "" } }).decode({})).toThrow(RangeError);
  });

  it("is a WireError or well decoded, whatever it is", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (wire) => {
        try {
          page.decode(wire);
        } catch (error) {
          expect(error).toBeInstanceOf(WireError);
        }
      }),
    );
  });
});
