import { decimal, text } from "@exchange-graph/contract/codec";
import { list } from "@exchange-graph/contract/lists";
import { record } from "@exchange-graph/contract/record";
import { isRead } from "@exchange-graph/contract/rows";
import { describe, expect, it } from "vitest";
import { everyRow, rowWhere } from "../../../src/datasources/errors/unread.js";

const page = record({ rows: list("", record({ orderId: text(""), size: decimal("") })) });
const [first, second] = page.decode({ rows: [{ orderId: "1", size: "1" }, { orderId: "2" }] }, []).rows;
if (first === undefined || second === undefined) throw new Error("the page has two rows");

describe("rows of which one could not be read", () => {
  it("give the row that is looked for, and refuse to say that it is not there", () => {
    expect(rowWhere([first, second], ({ orderId }) => orderId === "1")).toBe(first);
    expect(() => rowWhere([first, second], ({ orderId }) => orderId === "3")).toThrow("rows[1].size");
    expect(rowWhere([first], () => false)).toBeNull();
  });

  it("are refused where all of them are needed", () => {
    expect(() => everyRow([first, second])).toThrow("rows[1].size");
    expect(everyRow([first])).toEqual([first]);
    expect(isRead(second)).toBe(false);
  });
});
