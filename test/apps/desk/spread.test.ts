import { describe, expect, it } from "vitest";
import { spread } from "../../../apps/desk/src/panels/chart/spread.js";

describe("the handles of levels", () => {
  it.each([
    ["nowhere without levels", [], []],
    ["at their places while these are apart", [10, 28, 90], [10, 28, 90]],
    ["below each other at one place", [40, 40, 41], [40, 58, 76]],
    ["above the lower end", [95, 96, 99], [64, 82, 100]],
    ["evenly closer where there are too many", [5, 50, 50, 50, 50, 50, 50, 50, 50], [0, 12.5, 25, 37.5, 50, 62.5, 75, 87.5, 100]],
  ])("are %s", (_, wanted, places) => {
    expect(spread(wanted, 18, 100)).toEqual(places);
  });
});
