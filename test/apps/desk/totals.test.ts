import { describe, expect, it } from "vitest";
import { totalOf, whole } from "../../../apps/desk/src/format/total.js";

describe("a total", () => {
  it("is the exact sum of its parts", () => {
    const total = totalOf([
      { name: "main", value: "0.1" },
      { name: "classic", value: "0.2" },
    ]);
    expect(total).toEqual({ value: "0.3", without: [] });
    expect(whole(total)).toBe("0.3");
  });

  it("names the parts that are missing, and is no whole", () => {
    const total = totalOf([
      { name: "main", value: "889593.98" },
      { name: "classic", value: null },
    ]);
    expect(total).toEqual({ value: "889593.98", without: ["classic"] });
    expect(whole(total)).toBeNull();
  });

  it("is not zero if no part could be read, or none has been read yet", () => {
    expect(totalOf([{ name: "main", value: null }]).value).toBeNull();
    expect(totalOf(undefined).value).toBeNull();
    expect(totalOf(null).value).toBeNull();
  });

  it("of nothing is zero", () => {
    expect(totalOf([])).toEqual({ value: "0", without: [] });
  });
});
