import { describe, expect, it } from "vitest";
import type { GraphError, GraphEvent, Refusal } from "../src/index.js";
import { turn } from "./support/scripted.js";
import { type SocketWorld, socketWorld } from "./support/scriptedSocket.js";

const TICKER = "subscription { ticker { lastPrice } }";
const at = (time: string, kind = "update") => ({ stream: { kind, time, stale: false } });

interface Heard {
  readonly events: GraphEvent<unknown>[];
  readonly lost: string[];
  readonly refusals: Refusal[];
  readonly errors: (readonly GraphError[])[];
  isComplete: boolean;
  leave(): void;
}

function listening({ client }: SocketWorld, document = TICKER): Heard {
  const heard: Heard = { events: [], lost: [], refusals: [], errors: [], isComplete: false, leave: () => undefined };
  heard.leave = client.subscribe(
    document,
    {},
    {
      next: (event) => heard.events.push(event),
      lost(reason, refusal) {
        heard.lost.push(reason);
        if (refusal !== undefined) heard.refusals.push(refusal);
      },
      error: (errors) => heard.errors.push(errors),
      complete() {
        heard.isComplete = true;
      },
    },
  );
  return heard;
}

/** A world whose socket is open, with one subscription on it. */
async function open(options: Parameters<typeof socketWorld>[0] = {}) {
  const world = socketWorld(options);
  const heard = listening(world);
  const socket = await world.next();
  socket.accept();
  return { ...world, world, heard, socket, id: socket.ids[0] ?? "" };
}

describe("a subscription", () => {
  it("sends connection_init with the token, and receives the extensions of an event", async () => {
    const { socket, heard, id, world } = await open({ token: async () => "exgt_1" });
    expect([socket.url, socket.protocol]).toEqual(["wss://gateway/graphql", "graphql-transport-ws"]);
    expect(socket.sent).toEqual([
      { type: "connection_init", payload: { authorization: "Bearer exgt_1" } },
      { id, type: "subscribe", payload: { query: TICKER, variables: {}, extensions: { after: null } } },
    ]);
    socket.event(id, { ticker: 1 }, { stream: { kind: "snapshot", time: "T1", stale: true }, missed: 3 });
    socket.event(id, { ticker: 2 }, at("T2"));
    expect(heard.events).toMatchObject([
      { data: { ticker: 1 }, errors: [], kind: "snapshot", time: "T1", stale: true, missed: 3, gap: null },
      { data: { ticker: 2 }, kind: "update", time: "T2", stale: false, missed: 0, gap: null },
    ]);
    socket.says({ id, type: "complete" });
    expect(heard.isComplete).toBe(true);
    expect(world.connections.map(({ state }) => state)).toEqual(["connecting", "open"]);
  });

  it("goes on after the line was lost, and says what is missing", async () => {
    const { socket, heard, id, clock, world } = await open();
    socket.event(id, { ticker: 1 }, at("T1", "snapshot"));
    socket.breaks(1001, "the gateway is stopping");
    expect(heard.lost).toEqual(["1001 the gateway is stopping"]);
    expect(heard.refusals).toEqual([]);
    expect(world.client.connection).toEqual({ state: "waiting", code: 1001, reason: "the gateway is stopping" });
    clock.advance(250);
    const second = await world.next();
    second.accept();
    expect(second.ids).toHaveLength(1);
    second.event(second.ids[0] ?? "", { ticker: 2 }, at("T2", "snapshot"));
    second.event(second.ids[0] ?? "", { ticker: 3 }, at("T3"));
    expect(heard.events.map(({ gap }) => gap)).toEqual([null, { since: "T1", reason: "1001 the gateway is stopping" }, null]);
  });

  it("goes on where it was, and has no gap where the gateway has all that it missed", async () => {
    const { socket, heard, id, clock, world } = await open();
    const position = { stream: { kind: "update", time: "T1", stale: false, position: "p1" } };
    socket.event(id, { fills: [1] }, position);
    socket.breaks();
    clock.advance(250);
    const second = await world.next();
    second.accept();
    expect(second.sent.at(-1)).toMatchObject({ payload: { query: TICKER, extensions: { after: "p1" } } });
    const back = (recovered: boolean) => ({ stream: { kind: "update", time: "T2", stale: false, position: "p2", recovered } });
    second.event(second.ids[0] ?? "", { fills: [2] }, back(true));
    second.breaks();
    clock.advance(500);
    const third = await world.next();
    third.accept();
    expect(third.sent.at(-1)).toMatchObject({ payload: { extensions: { after: "p2" } } });
    third.event(third.ids[0] ?? "", { fills: [] }, back(false));
    expect(heard.events.map(({ gap }) => gap)).toEqual([null, null, { since: "T2", reason: "1006" }]);
  });

  it("has the gap of each account of which the gateway has not all that it missed", async () => {
    const { socket, heard, id, clock, world } = await open();
    const back = (recovered?: boolean) => ({ stream: { kind: "update", time: "T1", stale: false, position: "p", recovered } });
    socket.event(id, { fills: ["main"] }, back());
    socket.breaks();
    clock.advance(250);
    const second = await world.next();
    second.accept();
    for (const recovered of [true, false, undefined, false]) second.event(second.ids[0] ?? "", { fills: [] }, back(recovered));
    const gap = { since: "T1", reason: "1006" };
    expect(heard.events.map((event) => event.gap)).toEqual([null, null, gap, null, gap]);
  });

  it("has a gap from the time that the gateway names, which is that of the account's own last event", async () => {
    const { socket, heard, id, clock, world } = await open();
    socket.event(id, { fills: [1] }, { stream: { kind: "update", time: "T5", stale: false, position: "p" } });
    socket.breaks();
    clock.advance(250);
    const second = await world.next();
    second.accept();
    for (const from of ["T3", "T6", null])
      second.event(second.ids[0] ?? "", { fills: [] }, { stream: { recovered: false, missed: { from, to: "T7" } } });
    expect(heard.events.map(({ gap }) => gap?.since)).toEqual([undefined, "T3", "T5", null]);
  });

  it("waits longer for each try, and is back within 2 s of the gateway", async () => {
    const { socket, clock, world, sockets } = await open();
    socket.breaks();
    const waits: number[] = [];
    for (let tries = 1; tries <= 6; tries++) {
      const from = clock.now();
      while (sockets.length <= tries) {
        clock.advance(50);
        await turn();
      }
      waits.push(clock.now() - from);
      (await world.next()).breaks();
    }
    expect(waits).toEqual([250, 500, 1_000, 2_000, 2_000, 2_000]);
  });

  it("on a line that is dead without a word is moved to a new one within 17 s", async () => {
    const { socket, heard, clock, world } = await open();
    clock.advance(12_000);
    expect(socket.sent.at(-1)).toEqual({ type: "ping" });
    socket.says({ type: "pong" });
    clock.advance(12_000);
    expect(socket.isClosed).toBe(false);
    clock.advance(5_000);
    expect(socket.isClosed).toBe(true);
    expect(heard.lost).toEqual([expect.stringContaining("no message for")]);
    clock.advance(250);
    expect(await world.next()).not.toBe(socket);
    // What the old one still says is not heard.
    socket.event("1", { ticker: "late" });
    expect(heard.events).toEqual([]);
  });

  it("answers the gateway's pings", async () => {
    const { socket } = await open();
    socket.says({ type: "ping" });
    expect(socket.sent.at(-1)).toEqual({ type: "pong" });
  });

  it("that cannot go on ends with an error: what is sent is wrong", async () => {
    const { socket, heard, clock } = await open();
    socket.breaks(4400, "Invalid message");
    expect(heard.errors).toMatchObject([[{ code: "BAD_REQUEST", retryable: false }]]);
    expect(clock.pending).toBe(0);
  });

  it("ends with a token that is not valid, and asks once for a newer one where a function gives it", async () => {
    const fixed = await open({ token: "old" });
    fixed.socket.breaks(4401, "Unauthorized");
    expect(fixed.heard.errors).toMatchObject([[{ code: "UNAUTHENTICATED" }]]);
    const tokens = ["old", "new"];
    const renewed = await open({ token: () => tokens.shift() });
    renewed.socket.breaks(4401, "Unauthorized");
    renewed.clock.advance(1_000);
    const second = await renewed.world.next();
    second.accept();
    expect(second.sent[0]).toEqual({ type: "connection_init", payload: { authorization: "Bearer new" } });
    expect(renewed.heard.errors).toEqual([]);
  });

  it("is tried again after an error that is worth it, and ends with any other", async () => {
    const { socket, heard, id, clock } = await open();
    const error = (code: string, retryable: boolean, more = {}) => [{ message: code, extensions: { code, retryable, ...more } }];
    socket.says({ id, type: "error", payload: error("RATE_LIMITED", true, { retryAfterMs: 1_500 }) });
    expect(heard.lost).toEqual(["RATE_LIMITED RATE_LIMITED"]);
    expect(heard.refusals).toMatchObject([{ errors: [{ code: "RATE_LIMITED", retryAfterMs: 1_500 }], waitMs: 1_500 }]);
    clock.advance(1_499);
    expect(socket.ids).toHaveLength(1);
    clock.advance(1);
    expect(socket.ids).toHaveLength(2);
    socket.says({ id: socket.ids[1], type: "error", payload: error("FORBIDDEN", false) });
    expect(heard.errors).toMatchObject([[{ code: "FORBIDDEN" }]]);
  });

  it("that is left is ended at the gateway, and the socket a while after the last", async () => {
    const { socket, heard, id, clock, world } = await open();
    heard.leave();
    heard.leave();
    expect(socket.sent.filter(({ type }) => type === "complete")).toEqual([{ id, type: "complete" }]);
    clock.advance(1_999);
    expect(socket.isClosed).toBe(false);
    clock.advance(1);
    expect(socket.isClosed).toBe(true);
    expect(clock.pending).toBe(0);
    listening(world);
    expect(await world.next()).not.toBe(socket);
    world.client.dispose();
  });

  it("beyond a hundred opens another socket", async () => {
    const { world, sockets } = await open();
    for (let more = 0; more < 100; more++) listening(world);
    await turn();
    expect(sockets).toHaveLength(2);
    sockets[1]?.accept();
    expect(sockets.map(({ ids }) => ids.length)).toEqual([100, 1]);
    world.client.dispose();
    expect(sockets.map(({ isClosed }) => isClosed)).toEqual([true, true]);
    expect(world.clock.pending).toBe(0);
  });

  it("that waits for its next attempt ends with the client", async () => {
    const { socket, id, world, clock, sockets } = await open();
    socket.says({ id, type: "error", payload: [{ message: "full", extensions: { code: "OVERLOADED", retryable: true } }] });
    expect(clock.pending).toBeGreaterThan(0);
    world.client.dispose();
    expect(clock.pending).toBe(0);
    clock.advance(60_000);
    await turn();
    expect(sockets).toHaveLength(1);
  });

  it("waits for no socket that is never acknowledged, and for no token that never comes", async () => {
    const silent = socketWorld();
    const heard = listening(silent);
    await silent.next();
    silent.clock.advance(10_000);
    expect(heard.lost).toEqual([expect.stringContaining("not acknowledged")]);
    const tokenless = socketWorld({ token: () => new Promise<string>(() => undefined) });
    const unheard = listening(tokenless);
    tokenless.clock.advance(10_000);
    expect(unheard.lost).toEqual([expect.stringContaining("not acknowledged")]);
    expect(tokenless.sockets).toEqual([]);
  });
});

describe("a subscription as an iterable", () => {
  it("gives each event, and ends with its signal", async () => {
    const world = socketWorld();
    const ending = new AbortController();
    const events = world.client.events(TICKER, {}, { signal: ending.signal })[Symbol.asyncIterator]();
    const first = events.next();
    const socket = await world.next();
    socket.accept();
    socket.event("1", { ticker: 1 });
    socket.event("1", { ticker: 2 });
    expect((await first).value).toMatchObject({ data: { ticker: 1 } });
    expect((await events.next()).value).toMatchObject({ data: { ticker: 2 } });
    const last = events.next();
    ending.abort();
    expect(await last).toEqual({ done: true, value: undefined });
    expect(socket.sent.at(-1)).toMatchObject({ type: "complete" });
  });

  it("begins again with the state of the moment where its reader is too slow", async () => {
    const world = socketWorld();
    const events = world.client.events(TICKER)[Symbol.asyncIterator]();
    const first = events.next();
    const socket = await world.next();
    socket.accept();
    socket.event("1", { count: 0 }, at("T0", "snapshot"));
    await first;
    for (let count = 0; count <= 1_000; count++) socket.event("1", { count }, at(`T${count}`));
    expect(socket.sent.slice(-2)).toMatchObject([
      { id: "1", type: "complete" },
      { id: "2", type: "subscribe" },
    ]);
    socket.event("2", { count: 0 }, at("T9", "snapshot"));
    expect((await events.next()).value).toMatchObject({ time: "T9", gap: { since: "T0", reason: "the reader was too slow" } });
    await events.return?.();
    world.client.dispose();
  });

  it("ends with the client", async () => {
    const world = socketWorld();
    const next = world.client.events(TICKER)[Symbol.asyncIterator]().next();
    (await world.next()).accept();
    world.client.dispose();
    expect(await next).toEqual({ value: undefined, done: true });
  });

  it("throws what it ends with", async () => {
    const world = socketWorld();
    const next = world.client.events(TICKER)[Symbol.asyncIterator]().next();
    const socket = await world.next();
    socket.accept();
    socket.says({ id: "1", type: "error", payload: [{ message: "no", extensions: { code: "FORBIDDEN" } }] });
    await expect(next).rejects.toMatchObject({ name: "SubscriptionEnded", errors: [{ code: "FORBIDDEN" }] });
  });
});
