import { describe, expect, it } from "vitest";
import { type MergeRules, merged } from "../../../../src/datasources/streams/state/merge.js";

const RULES: MergeRules = { clearable: new Set(["takeProfit", "limit"]), restOnly: new Set(["takeProfit"]) };
const record = { qty: "1", takeProfit: "70", takeProfitRaw: "70", limit: "5", orderSource: "normal" };
const empty = { qty: null, takeProfit: null, takeProfitRaw: null, limit: null, orderSource: null };

describe("a merged record", () => {
  it("keeps what a source leaves out", () => {
    expect(merged({ ...record, limit: null }, { ...record, orderSource: null, limit: null }, "REST", RULES)).toEqual({
      ...record,
      limit: null,
    });
  });

  it("loses what a source says is no more, and not what that source never says", () => {
    expect(merged<typeof empty | typeof record>(record, empty, "REST", RULES)).toEqual({
      ...empty,
      qty: "1",
      orderSource: "normal",
    });
    expect(merged<typeof empty | typeof record>(record, empty, "PUSH", RULES)).toEqual({ ...record, limit: null });
  });

  it("is the new record where none was held, or nothing is missing", () => {
    expect(merged(undefined, record, "PUSH", RULES)).toBe(record);
    expect(merged({ ...record, qty: "2" }, record, "PUSH", RULES)).toBe(record);
  });
});
