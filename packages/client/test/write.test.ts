import { describe, expect, expectTypeOf, it } from "vitest";
import { createClient, type WriteResult } from "../src/index.js";
import { LOST, ScriptedNetwork, TypedText, turn } from "./support/scripted.js";

interface Payload {
  readonly outcome: "ACCEPTED" | "REJECTED" | "UNKNOWN" | null;
  readonly orderId?: string | null;
}
const PLACE = new TypedText<{ placeOrder: Payload }, { input: { qty: string; idempotencyKey?: string } }>(
  "mutation Place($input: PlaceOrderInput!) { placeOrder(input: $input) { outcome orderId userErrors { code message } } }",
);
const input = { qty: "1" };
const payload = (outcome: string, more: object = {}) => ({ data: { placeOrder: { outcome, userErrors: [], ...more } } });
const failed = (code: string, more: object = {}) => ({ data: null, errors: [{ message: code, extensions: { code }, ...more }] });

function world(...script: ConstructorParameters<typeof ScriptedNetwork>) {
  const network = new ScriptedNetwork(...script);
  const { fetch, clock, bodies } = network;
  const client = createClient({ url: "http://gateway/graphql", fetch, clock, random: () => 0, timeoutMs: 5_000 });
  return { client, network, bodies, keys: () => bodies.map(({ variables }) => variables.input.idempotencyKey) };
}

describe("a write", () => {
  it.each([
    ["accepted", payload("ACCEPTED", { orderId: "7" }), []],
    [
      "rejected",
      payload("REJECTED", { userErrors: [{ code: "INSUFFICIENT_BALANCE", message: "no" }] }),
      ["INSUFFICIENT_BALANCE"],
    ],
    ["unknown", payload("UNKNOWN", { userErrors: [{ code: "EXCHANGE_TIMEOUT", message: "lost" }] }), ["EXCHANGE_TIMEOUT"]],
    // Refused before anything was sent.
    ["rejected", failed("RATE_LIMITED", { path: ["placeOrder"] }), ["RATE_LIMITED"]],
    ["rejected", failed("GRAPHQL_VALIDATION_FAILED"), ["GRAPHQL_VALIDATION_FAILED"]],
    // The write was made, and its payload cannot be shown.
    ["unknown", failed("EXCHANGE_TIMEOUT", { path: ["placeOrder", "journalEntry"] }), ["EXCHANGE_TIMEOUT"]],
    // It is unknown whether anything was sent.
    ["unknown", failed("INTERNAL_SERVER_ERROR", { path: ["placeOrder"] }), ["INTERNAL_SERVER_ERROR"]],
    ["unknown", failed("CODE_OF_TOMORROW"), ["UNKNOWN"]],
    // It was made, and something beside it cannot be shown.
    [
      "accepted",
      { ...payload("ACCEPTED"), errors: failed("FORBIDDEN", { path: ["placeOrder", "order"] }).errors },
      ["FORBIDDEN"],
    ],
  ])("is %s by its answer", async (outcome, answer, codes) => {
    const { client, bodies } = world(answer);
    const result = await client.write(PLACE, { input });
    expect(result.outcome).toBe(outcome);
    expect(result.errors.map(({ code }) => code)).toEqual(codes);
    expect(bodies).toHaveLength(1);
  });

  it("is sent again under its key while no answer comes", async () => {
    const lost = world(LOST.refused, LOST.torn, LOST.silent, { status: 502, body: "<html>" }, payload("ACCEPTED"));
    const result = await lost.network.while(lost.client.write(PLACE, { input }));
    expect(result.outcome).toBe("accepted");
    expect(lost.bodies).toHaveLength(5);
    expect(new Set(lost.keys())).toEqual(new Set([result.key]));
    expect(result.key).toMatch(/^[0-9a-f]{32}$/);
    expect(lost.network.clock.pending).toBe(0);
  });

  it("without an answer is unknown, and is repeated with its key", async () => {
    const { client, network, bodies, keys } = world(...new Array(40).fill(LOST.refused));
    const result = await network.while(client.write(PLACE, { input }));
    if (result.outcome !== "unknown") throw new Error(`it is ${result.outcome}`);
    expect(result.errors.map(({ code }) => code)).toEqual(["UNREACHABLE"]);
    const sent = bodies.length;
    network.answerWith(payload("UNKNOWN"), payload("UNKNOWN"), payload("ACCEPTED"));
    expect((await network.while(result.settled())).outcome).toBe("accepted");
    expect(bodies).toHaveLength(sent + 3);
    expect(new Set(keys())).toEqual(new Set([result.key]));
  });

  it("without an answer is not sent once its time is over, when a suspended page goes on", async () => {
    const { client, network, bodies } = world(LOST.refused);
    const writing = client.write(PLACE, { input });
    await turn();
    network.clock.advance(600_000);
    const result = await network.while(writing);
    if (result.outcome !== "unknown") throw new Error(`it is ${result.outcome}`);
    expect(result.errors.map(({ code }) => code)).toEqual(["UNREACHABLE"]);
    const settling = result.settled({ withinMs: 15_000 });
    network.clock.advance(600_000);
    expect(await network.while(settling)).toMatchObject({ outcome: "unknown", payload: null });
    expect(bodies).toHaveLength(1);
  });

  it("without an answer is not sent after the time in which it is settled", async () => {
    const { client, network, bodies } = world(...new Array(80).fill(LOST.refused));
    const result = await network.while(client.write(PLACE, { input }));
    if (result.outcome !== "unknown") throw new Error(`it is ${result.outcome}`);
    const settling = result.settled({ withinMs: 5_000 });
    await network.while(new Promise<void>((over) => network.clock.after(5_000, over)));
    const sent = bodies.length;
    await network.while(settling);
    expect(bodies).toHaveLength(sent);
  });

  it.each(["RATE_LIMITED", "UNAUTHENTICATED"])(
    "of which a repetition is refused with %s stays unknown: its first request may have taken effect",
    async (code) => {
      const { client, network } = world(LOST.torn, failed(code));
      const result = await network.while(client.write(PLACE, { input }));
      if (result.outcome !== "unknown") throw new Error(`it is ${result.outcome}`);
      expect(result.errors.map((error) => error.code)).toEqual([code]);
      network.answerWith(failed(code), payload("ACCEPTED"));
      expect((await network.while(result.settled())).outcome).toBe("accepted");
      network.answerWith(payload("REJECTED"));
      expect((await network.while(result.again())).outcome).toBe("rejected");
    },
  );

  it("that stays unknown is so after the time that was given", async () => {
    const { client, network } = world(...new Array(40).fill(payload("UNKNOWN")));
    const result = await client.write(PLACE, { input });
    if (result.outcome !== "unknown") throw new Error(`it is ${result.outcome}`);
    expect((await network.while(result.settled({ withinMs: 20_000 }))).outcome).toBe("unknown");
    expect(network.clock.now()).toBeLessThan(35_000);
  });

  it("has a new key each time, unless one is given", async () => {
    const { client, keys } = world(payload("ACCEPTED"), payload("ACCEPTED"), payload("ACCEPTED"), payload("ACCEPTED"));
    await client.write(PLACE, { input });
    await client.write(PLACE, { input });
    await client.write(PLACE, { input: { ...input, idempotencyKey: "mine" } });
    const { key } = await client.write(PLACE, { input }, { key: "action-7" });
    expect(key).toBe("action-7");
    expect(new Set(keys()).size).toBe(4);
    expect(keys().slice(2)).toEqual(["mine", "action-7"]);
  });

  it("takes its key as a variable", async () => {
    const { client, bodies } = world({ data: { cancelOrder: { outcome: "ACCEPTED" } } });
    const text =
      "mutation ($orderId: String!, $idempotencyKey: String) { cancelOrder(input: { idempotencyKey: $idempotencyKey }) { outcome } }";
    await client.write(text, { orderId: "1" }, { key: "k" });
    expect(bodies[0]?.variables).toEqual({ orderId: "1", idempotencyKey: "k" });
  });

  it("of many orders gives each of them a key, the same one when it is repeated, and keeps those that they have", async () => {
    const place = "mutation Place($input: PlaceOrdersInput!) { placeOrders(input: $input) { outcome } }";
    const { client, bodies, network } = world(LOST.refused, { data: { placeOrders: { outcome: "ACCEPTED", userErrors: [] } } });
    const orders = [{ qty: "1" }, { qty: "2", clientOid: "mine" }, { qty: "3" }];
    await network.while(client.write(place, { input: { orders } }, { key: "k" }));
    const sent = [{ qty: "1", idempotencyKey: "k-0" }, orders[1], { qty: "3", idempotencyKey: "k-2" }];
    expect(bodies.map(({ variables }) => variables)).toEqual(new Array(2).fill({ input: { orders: sent } }));
  });

  it("that takes no key is sent as it is, and again while no answer comes", async () => {
    const halt = "mutation Halt($input: HaltTradingInput!) { haltTrading(input: $input) { outcome } }";
    const { client, bodies, network } = world(LOST.refused, { data: { haltTrading: { outcome: "ACCEPTED", userErrors: [] } } });
    const result = await network.while(client.write(halt, { input: { account: "main" } }));
    expect(result).toMatchObject({ outcome: "accepted", key: null });
    expect(bodies.map(({ variables }) => variables)).toEqual(new Array(2).fill({ input: { account: "main" } }));
  });

  it("without a variable for its key, or without its outcome, is not sent", async () => {
    const { client, bodies } = world();
    await expect(client.write("mutation { placeOrder(input: {}) { outcome } }")).rejects.toThrow("a variable for its key");
    const silent = "mutation ($input: PlaceOrderInput!) { placeOrder(input: $input) { orderId } }";
    await expect(client.write(silent, { input })).rejects.toThrow("has to select its outcome");
    expect(bodies).toEqual([]);
  });

  it("ends with its signal, and says why", async () => {
    const lost = world(...new Array(40).fill(LOST.refused));
    const ending = new AbortController();
    const writing = lost.client.write(PLACE, { input }, { signal: ending.signal });
    ending.abort(new Error("the page has gone"));
    await expect(lost.network.while(writing)).rejects.toThrow("the page has gone");
    expect(lost.network.clock.pending).toBe(0);
  });

  it("is tried out as a dry run", async () => {
    const { client, bodies } = world(
      payload("x", { outcome: null }),
      payload("x", { outcome: null, userErrors: [{ code: "BAD_USER_INPUT", message: "no" }] }),
    );
    expect(await client.preview(PLACE, { input })).toMatchObject({ isSound: true, errors: [] });
    expect(await client.preview(PLACE, { input })).toMatchObject({ isSound: false, errors: [{ code: "BAD_USER_INPUT" }] });
    expect(bodies.map(({ variables }) => variables)).toEqual(new Array(2).fill({ input: { ...input, dryRun: true } }));
  });

  it("has its types from its document", () => {
    const { client } = world();
    expectTypeOf(client.write(PLACE, { input })).resolves.toEqualTypeOf<WriteResult<Payload>>();
    // @ts-expect-error: the variables are those of the document
    expectTypeOf(() => client.write(PLACE, { input: { qty: 1 } })).toBeFunction();
    // @ts-expect-error: and they are not left out
    expectTypeOf(() => client.write(PLACE)).toBeFunction();
  });
});
