import { systemClock } from "@exchange-graph/contract/clock";
import { buildSchema, isInterfaceType, Kind, parse } from "graphql";
import { describe, expect, it } from "vitest";
import { CompiledQuery } from "../../../src/engine/execution/compiledQuery.js";
import { ExecutionTurns } from "../../../src/engine/execution/executionTurns.js";
import { SerializedTextCache } from "../../../src/engine/execution/serializedTextCache.js";
import { turn } from "../../support/eventually.js";

const schema = buildSchema(
  "type Query { rows: [Row!]! some: [Some!]! } type Mutation { first: [Row!]! second: [Row!]! } type Row implements Some { at: Int! parts: [Row!]! } interface Some { at: Int! }",
);
const leaf = (at: number) => ({ at, parts: [] });
const rows = Array.from({ length: 700 }, (_, at) => ({ at, parts: [leaf(1), leaf(2), leaf(3)] }));
const rowsField = schema.getQueryType()?.getFields().rows;
if (rowsField !== undefined) rowsField.resolve = () => rows;

/** Steps of the two mutations, in order. */
const done: string[] = [];
for (const [name, field] of Object.entries(schema.getMutationType()?.getFields() ?? {}))
  field.resolve = async () => {
    done.push(`${name} begins`);
    await turn();
    done.push(`${name} ends`);
    return rows;
  };
const some = schema.getType("Some");
if (isInterfaceType(some)) some.extensions = { namesTypes: true };
const someField = schema.getQueryType()?.getFields().some;
if (someField !== undefined) someField.resolve = () => Array.from({ length: 3_000 }, (_, at) => ({ __typename: "Row", at }));

function compiled(text: string): CompiledQuery {
  const document = parse(text);
  const [operation] = document.definitions;
  const type = operation?.kind === Kind.OPERATION_DEFINITION ? schema.getRootType(operation.operation) : undefined;
  if (operation?.kind !== Kind.OPERATION_DEFINITION || !type) throw new Error("no query");
  return new CompiledQuery(schema, type, document, operation, new SerializedTextCache());
}
const query = compiled("{ rows { at parts { at parts { at } } } }");

describe("a long execution", () => {
  it("gives the same text in slices as at once, and yields to the event loop between them", async () => {
    const whole = await query.execute({}, {});
    const turns = new ExecutionTurns(systemClock);
    let isOver = false;
    let count = 0;
    const sliced = Promise.resolve(query.execute({}, {}, () => turns.wait({ client: "a", weight: 1 }))).finally(() => {
      isOver = true;
    });
    for (; !isOver; count++) await turn();
    expect(await sliced).toEqual(whole);
    expect(JSON.parse(whole?.data ?? "")).toEqual({ rows });
    expect(count).toBeGreaterThanOrEqual(5);
  });

  it.each([
    ["an interface", "{ some { at ... on Row { __typename } } }", 5],
    ["a mutation", "mutation { first { at } second { at } }", 2],
    [
      "the schema",
      `{ ${Array.from({ length: 40 }, (_, at) => `s${at}: __schema { types { name fields { name } } }`).join(" ")} }`,
      3,
    ],
  ])("lets other requests continue while it is written: %s", async (_, text, least) => {
    done.length = 0;
    const operation = compiled(text);
    const whole = await operation.execute({}, {});
    let slices = 0;
    const sliced = await operation.execute({}, {}, async () => {
      slices++;
      await turn();
    });
    expect(sliced).toEqual(whole);
    expect(whole?.errors).toEqual([]);
    expect(slices).toBeGreaterThanOrEqual(least);
    if (done.length > 0) expect(done.slice(0, 4)).toEqual(["first begins", "first ends", "second begins", "second ends"]);
  });

  it("writes one slice at a time, however many lists it has beside each other", async () => {
    const lists = Array.from({ length: 20 }, (_, at) => `list${at}: rows { at }`).join(" ");
    const operation = compiled(`{ ${lists} }`);
    const whole = await operation.execute({}, {});
    let waiting = 0;
    let most = 0;
    const sliced = await operation.execute({}, {}, async () => {
      most = Math.max(most, ++waiting);
      await turn();
      waiting--;
    });
    expect(sliced).toEqual(whole);
    expect(most).toBe(1);
  });

  it("ends at the next pause when no client waits for it", async () => {
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
    const turns = new ExecutionTurns(systemClock);
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
