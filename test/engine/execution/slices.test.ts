import { buildSchema, Kind, parse } from "graphql";
import { describe, expect, it } from "vitest";
import { CompiledQuery } from "../../../src/engine/execution/compiledQuery.js";
import { ExecutionTurns } from "../../../src/engine/execution/executionTurns.js";
import { LastingTexts } from "../../../src/engine/execution/lastingTexts.js";
import { turn } from "../../support/eventually.js";

const schema = buildSchema("type Query { rows: [Row!]! } type Row { at: Int! parts: [Row!]! }");
const leaf = (at: number) => ({ at, parts: [] });
const rows = Array.from({ length: 700 }, (_, at) => ({ at, parts: [leaf(1), leaf(2), leaf(3)] }));
const rowsField = schema.getQueryType()?.getFields().rows;
if (rowsField !== undefined) rowsField.resolve = () => rows;

function compiled(text: string): CompiledQuery {
  const document = parse(text);
  const [operation] = document.definitions;
  const type = schema.getQueryType();
  if (operation?.kind !== Kind.OPERATION_DEFINITION || !type) throw new Error("no query");
  return new CompiledQuery(schema, type, document, operation, new LastingTexts());
}
const query = compiled("{ rows { at parts { at parts { at } } } }");

describe("a long execution", () => {
  it("gives the same text in slices as in one piece, and lets the event loop turn between them", async () => {
    const whole = await query.execute({}, {});
    const turns = new ExecutionTurns();
    let isOver = false;
    let count = 0;
    const sliced = query
      .execute({}, {}, () => turns.wait({ client: "a", weight: 1 }))
      .finally(() => {
        isOver = true;
      });
    for (; !isOver; count++) await turn();
    expect(await sliced).toEqual(whole);
    expect(JSON.parse(whole?.data ?? "")).toEqual({ rows });
    expect(count).toBeGreaterThanOrEqual(5);
  });

  it("ends where it is when nobody wants it any more", async () => {
    let pauses = 0;
    const result = await query.execute({}, {}, async () => {
      await turn();
      if (++pauses === 2) throw new Error("nobody wants it");
    });
    expect(result).toMatchObject({ data: "null", errors: [expect.objectContaining({ message: "nobody wants it" })] });
    expect(pauses).toBeLessThan(6);
  });
});

describe("turns", () => {
  it("are taken by clients, one slice in each turn of the event loop", async () => {
    const turns = new ExecutionTurns();
    const order: string[] = [];
    const wait = (client: string) => void turns.wait({ client, weight: 1 }).then(() => order.push(client));
    for (let at = 0; at < 5; at++) wait("greedy");
    wait("victim");
    const after: number[] = [];
    for (let at = 0; at < 7; at++) {
      await turn();
      after.push(order.length);
    }
    expect(order).toEqual(["greedy", "victim", "greedy", "greedy", "greedy", "greedy"]);
    expect(Math.max(...after.map((length, at) => length - (after[at - 1] ?? 0)))).toBe(1);
  });
});
