import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BoundedMap } from "../../../src/datasources/cache/boundedMap.js";

describe("A bounded map", () => {
  it("keeps the entries used last, whatever is set, read and deleted in between", () => {
    const step = fc.tuple(fc.constantFrom("set", "get", "delete", "clear"), fc.integer({ min: 0, max: 15 }));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.array(step, { maxLength: 200 }), (limit, steps) => {
        const map = new BoundedMap<number, string>(limit);
        let model: number[] = [];
        for (const [what, key] of steps) {
          if (what === "set") {
            map.set(key, String(key));
            model = [...model.filter((other) => other !== key), key].slice(-limit);
          } else if (what === "get") {
            expect(map.get(key)).toBe(model.includes(key) ? String(key) : undefined);
            if (model.includes(key) && model.length * 2 > limit) model = [...model.filter((other) => other !== key), key];
          } else if (what === "delete") {
            map.delete(key);
            model = model.filter((other) => other !== key);
          } else if (key === 0) {
            map.clear();
            model = [];
          }
          expect([...map.keys()]).toEqual(model);
        }
      }),
    );
  });
});
