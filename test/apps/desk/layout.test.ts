import { describe, expect, it } from "vitest";
import { layoutFrom, moved, ordered, PLAIN } from "../../../apps/desk/src/state/layout.js";

describe("a layout that was kept", () => {
  it("is read as it was written", () => {
    const layout = { order: ["Book", "Chart"], sizes: { Book: { w: 6, h: 300 }, Chart: { w: 18 } }, folded: ["Trades"] };
    expect(layoutFrom(JSON.parse(JSON.stringify(layout)))).toEqual(layout);
  });

  it.each([undefined, null, 7, "text", [], { order: 1, sizes: [], folded: {} }])("is none if %j is stored", (value) => {
    expect(layoutFrom(value)).toEqual(PLAIN);
  });

  it("keeps sizes within the page, and names that are names", () => {
    const sizes = { A: { w: 99, h: -5 }, B: { w: "12", h: Number.NaN }, C: null };
    const order = ["A", "A", 7, "B", "x".repeat(81)];
    expect(layoutFrom({ order, sizes, folded: [null] })).toEqual({
      order: ["A", "B"],
      sizes: { A: { w: 24, h: 80 }, B: {}, C: {} },
      folded: [],
    });
  });
});

describe("the order of panels", () => {
  it("is the chosen one; panels that it does not name stay behind their predecessor", () => {
    expect(ordered(["A", "B", "C", "D"], ["C", "gone", "A"])).toEqual(["C", "D", "A", "B"]);
    expect(ordered(["New", "A"], ["A"])).toEqual(["New", "A"]);
    expect(ordered(["A", "B"], [])).toEqual(["A", "B"]);
  });

  it("changes by one that is moved, no further than to its ends", () => {
    expect(moved(["A", "B", "C"], "C", 0)).toEqual(["C", "A", "B"]);
    expect(moved(["A", "B", "C"], "A", 9)).toEqual(["B", "C", "A"]);
    expect(moved(["A", "B", "C"], "A", -1)).toEqual(["A", "B", "C"]);
  });
});
