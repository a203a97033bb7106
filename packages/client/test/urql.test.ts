import { type AnyVariables, Client, type OperationResult } from "@urql/core";
import { describe, expect, it } from "vitest";
import { createClient, NoAnswer } from "../src/index.js";
import { clientExchange, errorsOf, eventOf } from "../src/urql.js";
import { LOST, ScriptedNetwork, turn } from "./support/scripted.js";
import { socketWorld } from "./support/scriptedSocket.js";

const FILLS = "subscription { fills { fills { id } } }";
const at = (time: string, more: object = {}) => ({ stream: { kind: "update", time, stale: false }, ...more });

const urqlOver = (client: ReturnType<typeof createClient>) =>
  new Client({ url: "https://gateway/graphql", preferGetMethod: false, exchanges: [clientExchange(client)] });

/** A subscription under urql whose socket is open. */
async function listening() {
  const world = socketWorld();
  const results: OperationResult<unknown, AnyVariables>[] = [];
  const heard = urqlOver(world.client)
    .subscription(FILLS, {})
    .subscribe((result) => results.push(result));
  const socket = await world.next();
  socket.accept();
  return { ...world, results, heard, socket, id: socket.ids[0] ?? "" };
}

describe("a subscription under urql", () => {
  it("has with each result what its own event said, and nothing of one before", async () => {
    const { socket, id, results } = await listening();
    socket.event(id, { fills: 1 }, at("T1", { missed: 3 }));
    socket.says({ id, type: "next", payload: { data: null, errors: [{ message: "no", extensions: { code: "FORBIDDEN" } }] } });
    socket.event(id, { fills: 2 }, at("T2"));
    expect(results.map((result) => eventOf(result))).toMatchObject([
      { data: { fills: 1 }, errors: [], missed: 3, time: "T1" },
      { data: null, errors: [{ code: "FORBIDDEN" }], missed: 0, time: null },
      { data: { fills: 2 }, errors: [], missed: 0, time: "T2" },
    ]);
  });

  it("is stale while it is interrupted, and has a gap on the first event after that alone", async () => {
    const { socket, id, results, clock, next } = await listening();
    socket.event(id, { fills: 1 }, at("T1"));
    socket.breaks(1001, "stopping");
    clock.advance(250);
    const second = await next();
    second.accept();
    for (const time of ["T2", "T3"]) second.event(second.ids[0] ?? "", { fills: time }, at(time));
    expect(results.map(({ stale, extensions }) => [stale, extensions?.lost ?? null, extensions?.gap ?? null])).toEqual([
      [false, null, null],
      [true, "1001 stopping", null],
      [false, null, { since: "T1", reason: "1001 stopping" }],
      [false, null, null],
    ]);
    expect(results[1]?.data).toBeUndefined();
  });

  it("completes when the gateway ends it, with the error if there is one", async () => {
    const { socket, id, results } = await listening();
    socket.says({ id, type: "error", payload: [{ message: "who", extensions: { code: "UNAUTHENTICATED", retryable: false } }] });
    expect(results.at(-1)).toMatchObject({ hasNext: false });
    expect(errorsOf(results.at(-1)?.error)).toMatchObject([{ code: "UNAUTHENTICATED", retryable: false }]);
    const other = await listening();
    other.socket.event(other.id, { fills: 1 });
    other.socket.says({ id: other.id, type: "complete" });
    expect(other.results.at(-1)).toMatchObject({ data: { fills: 1 }, hasNext: false });
  });
});

describe("a query under urql", () => {
  const over = (...script: ConstructorParameters<typeof ScriptedNetwork>) => {
    const network = new ScriptedNetwork(...script);
    const { fetch, clock } = network;
    return { network, urql: urqlOver(createClient({ url: "https://gateway/graphql", fetch, clock, timeoutMs: 5_000 })) };
  };

  it("asks for the trace where its context does", async () => {
    const { network, urql } = over({ data: { a: 1 }, extensions: { exchange: { reads: [] } } }, { data: { a: 1 } });
    const { extensions } = await urql.query("{ a }", {}, { trace: true });
    await urql.query("{ b: a }", {});
    expect(extensions).toEqual({ exchange: { reads: [] } });
    expect(network.bodies.map(({ extensions: asked }) => asked)).toEqual([{ exchangeTrace: true }, undefined]);
  });

  it("has the client's own error where no answer comes, and those of the gateway by their codes", async () => {
    const limited = { message: "wait", path: ["a"], extensions: { code: "RATE_LIMITED", retryable: true, retryAfterMs: 700 } };
    const { urql } = over(LOST.refused, { data: { a: null }, errors: [limited] });
    const [lost] = errorsOf((await urql.query("{ a }", {})).error);
    expect(lost).toBeInstanceOf(NoAnswer);
    expect(lost).toMatchObject({ code: "UNREACHABLE", retryable: true });
    expect(errorsOf((await urql.query("{ a }", {})).error)).toMatchObject([
      { code: "RATE_LIMITED", retryAfterMs: 700, path: ["a"] },
    ]);
    expect(errorsOf(undefined)).toEqual([]);
  });

  it("sends nothing when it is given up in the same breath, as a component does that is drawn and thrown away", async () => {
    const { network, urql } = over();
    urql
      .query("{ a }", {})
      .subscribe(() => undefined)
      .unsubscribe();
    await turn();
    expect(network.bodies).toEqual([]);
  });
});
