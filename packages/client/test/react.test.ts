import { act, createElement } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Client } from "../src/index.js";
import { createClient } from "../src/index.js";
import {
  ClientProvider,
  type Live,
  type LiveOptions,
  type PageOf,
  type Pages,
  useLive,
  usePage,
  useWrite,
  type Writing,
} from "../src/react.js";
import { LOST, ScriptedNetwork, TypedText, turn } from "./support/scripted.js";
import { type SocketWorld, socketWorld } from "./support/scriptedSocket.js";

interface Tick {
  readonly price: string;
}
type Of = { readonly symbol: string };
type Options = LiveOptions<Tick, unknown>;

const TICKER = new TypedText<Tick, Of>("subscription Ticker($symbol: String!) { price }");

/** As much of a document as React uses for a component that draws nothing. */
const nothing = (): void => undefined;
const DOCUMENT = { nodeType: 9, activeElement: null, addEventListener: nothing };
const container = () => ({ nodeType: 1, nodeName: "DIV", tagName: "DIV", ownerDocument: DOCUMENT, addEventListener: nothing });

beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.stubGlobal("window", globalThis);
  vi.stubGlobal("HTMLIFrameElement", class {});
});
afterEach(() => vi.unstubAllGlobals());

/** A component with `useLive`, whose state of each rendering is kept. */
function mounted() {
  const states: Live<unknown>[] = [];
  function Ticker({ symbol, ...options }: Options & Of) {
    states.push(useLive(TICKER, { symbol }, options));
    return null;
  }
  const root = createRoot(container() as never);
  return {
    states,
    last: () => states.at(-1),
    async render(client: Client, { symbol = "BTCUSDT", ...options }: Options & Partial<Of> = {}) {
      await act(async () => {
        root.render(createElement(ClientProvider, { value: client }, createElement(Ticker, { symbol, ...options })));
        await turn();
      });
    },
    unmount: () => act(async () => root.unmount()),
  };
}

/** A mounted component, and the gateway's end of its socket. */
async function live(options: Options = {}) {
  const world: SocketWorld = socketWorld();
  const component = mounted();
  await component.render(world.client, options);
  const socket = await world.next();
  await act(async () => socket.accept());
  const event = (price: string, stream: object = {}, id = socket.ids.at(-1) ?? "") =>
    act(async () => socket.event(id, { price }, { stream: { kind: "update", time: "T", stale: false, ...stream } }));
  const symbols = () => socket.sent.flatMap(({ type, payload }) => (type === "subscribe" ? [payload] : []));
  const ended = () => socket.sent.filter(({ type }) => type === "complete").map(({ id }) => id);
  return { ...component, client: world.client, socket, event, symbols, ended };
}

describe("useLive", () => {
  it("subscribes once for equal variables, is live with the first event, and unsubscribes with its component", async () => {
    const { client, last, render, event, socket, ended, unmount } = await live();
    expect(last()).toEqual({ data: undefined, status: "connecting", reason: null, errors: [] });
    await event("1");
    expect(last()).toEqual({ data: { price: "1" }, status: "live", reason: null, errors: [] });
    await render(client);
    expect(socket.ids).toHaveLength(1);
    await unmount();
    expect(ended()).toEqual(socket.ids);
  });

  it("never shows the data of other variables or of another client", async () => {
    const { client, last, render, event, socket, states, symbols, ended } = await live();
    await event("1");
    const before = states.length;
    await render(client, { symbol: "ETHUSDT" });
    expect(states.slice(before).map(({ data }) => data)).not.toContainEqual({ price: "1" });
    expect(symbols()).toMatchObject([{ variables: { symbol: "BTCUSDT" } }, { variables: { symbol: "ETHUSDT" } }]);
    expect(ended()).toEqual([socket.ids[0]]);
    await event("late", {}, socket.ids[0]);
    expect(last()).toMatchObject({ data: undefined, status: "connecting" });
    await event("2");
    const others = states.length;
    await render(socketWorld().client, { symbol: "ETHUSDT" });
    expect(states.slice(others).map(({ data }) => data)).not.toContainEqual({ price: "2" });
    expect(last()).toMatchObject({ data: undefined, status: "connecting" });
  });

  it("keeps its data while either line is interrupted, and says which", async () => {
    const { last, event, socket } = await live();
    await event("1");
    await event("1", { stale: true });
    expect(last()).toMatchObject({ data: { price: "1" }, status: "interrupted", reason: expect.stringContaining("exchange") });
    await event("2");
    expect(last()).toMatchObject({ data: { price: "2" }, status: "live", reason: null });
    await act(async () => socket.breaks());
    expect(last()).toMatchObject({ data: { price: "2" }, status: "interrupted", reason: expect.stringMatching(/./) });
  });

  it("keeps its data when an event or the end has errors", async () => {
    const { last, event, socket } = await live();
    await event("1");
    const [id] = socket.ids;
    const error = (code: string) => ({ message: code, extensions: { code, retryable: false } });
    await act(async () => socket.says({ id, type: "next", payload: { data: null, errors: [error("EXCHANGE_TIMEOUT")] } }));
    expect(last()).toMatchObject({ data: { price: "1" }, errors: [{ code: "EXCHANGE_TIMEOUT" }] });
    await act(async () => socket.says({ id, type: "error", payload: [error("FORBIDDEN")] }));
    expect(last()).toMatchObject({ data: { price: "1" }, status: "ended", errors: [{ code: "FORBIDDEN" }] });
  });

  it("makes its state with the newest merge, also where that is null", async () => {
    const { client, last, render, event, socket } = await live({ merge: (before, { data }) => [before, data.price] });
    await event("1");
    await event("2");
    expect(last()?.data).toEqual([[undefined, "1"], "2"]);
    await render(client, { merge: () => null });
    await event("3");
    expect(last()?.data).toBeNull();
    expect(socket.ids).toHaveLength(1);
  });

  it("ends its subscription while it is paused, keeps the data, and is not live before the next event", async () => {
    const { client, last, render, event, socket, ended } = await live();
    await event("1");
    await render(client, { isPaused: true });
    expect(ended()).toEqual(socket.ids);
    expect(last()).toMatchObject({ data: { price: "1" }, status: "paused" });
    await render(client);
    expect(socket.ids).toHaveLength(2);
    expect(last()).toMatchObject({ data: { price: "1" }, status: "connecting" });
    await event("2");
    expect(last()).toMatchObject({ data: { price: "2" }, status: "live" });
  });
});

/** A client over a network that answers by script. */
function scripted(...script: ConstructorParameters<typeof ScriptedNetwork>) {
  const network = new ScriptedNetwork(...script);
  const { fetch, clock } = network;
  return { network, client: createClient({ url: "http://gateway/graphql", fetch, clock, random: () => 0, timeoutMs: 5_000 }) };
}

/** A component with one hook, what that returned at each rendering, and the errors that nobody has caught. */
function hooked<Props extends object, Result>(hook: (props: Props) => Result) {
  const states: Result[] = [];
  const Component = (props: Props) => {
    states.push(hook(props));
    return null;
  };
  const root = createRoot(container() as never);
  const last = (): Result => {
    const state = states.at(-1);
    if (state === undefined) throw new Error("it has not been rendered");
    return state;
  };
  return {
    states,
    last,
    async render(client: Client, props: Props) {
      await act(async () => {
        root.render(createElement(ClientProvider, { value: client }, createElement(Component, props)));
        await turn();
      });
    },
    /** Runs something, and lets what it has begun go on. */
    on: (run: () => unknown) =>
      act(async () => {
        await run();
        for (let turns = 0; turns < 5; turns += 1) await turn();
      }),
    unmount: () =>
      act(async () => {
        root.unmount();
        await turn();
      }),
  };
}

interface Row {
  readonly id: string;
}
interface Orders {
  readonly orders: PageOf<Row> | null;
}
type Paged = { readonly symbol: string; readonly after?: string | null };

const ORDERS = new TypedText<Orders, Paged>("query Orders($symbol: String!, $after: String) { orders { nodes { id } } }");
const FILLS = new TypedText<Orders, Paged>("query Fills($symbol: String!, $after: String) { orders { nodes { id } } }");
const pageOf = (ids: string, endCursor?: string) => ({
  data: {
    orders: {
      nodes: [...ids].map((id) => ({ id })),
      pageInfo: { hasNextPage: endCursor !== undefined, endCursor: endCursor ?? null },
    },
  },
});
const refused = { data: { orders: null }, errors: [{ message: "no", extensions: { code: "RATE_LIMITED" } }] };

interface PageProps {
  readonly symbol?: string;
  readonly document?: typeof ORDERS;
}

function paged(...script: ConstructorParameters<typeof ScriptedNetwork>) {
  const component = hooked(
    ({ symbol = "BTCUSDT", document = ORDERS }: PageProps): Pages<Orders, Row> =>
      usePage(document, { symbol }, { list: ({ orders }) => orders, keyOf: ({ id }) => id }),
  );
  const ids = () =>
    component
      .last()
      .rows?.map(({ id }) => id)
      .join("");
  return { ...scripted(...script), ...component, ids };
}

/** The errors that nobody has caught while the test runs. */
function uncaught(): readonly unknown[] {
  const found: unknown[] = [];
  const listener = (reason: unknown): void => void found.push(reason);
  process.on("unhandledRejection", listener);
  afterEach(() => void process.off("unhandledRejection", listener));
  return found;
}

describe("usePage", () => {
  it("reads the first page at once, and the others in order by their cursors, each row once", async () => {
    const { client, network, render, last, on, ids } = paged(pageOf("ab", "1"), pageOf("bc", "2"), pageOf("d"));
    await render(client, {});
    await on(() => undefined);
    expect(last()).toMatchObject({ isLoading: false, hasMore: true, errors: [], data: pageOf("ab", "1").data });
    await on(() => last().loadMore());
    expect(ids()).toBe("abc");
    await on(() => last().loadMore());
    expect(ids()).toBe("abcd");
    expect(last()).toMatchObject({ isLoading: false, hasMore: false, data: pageOf("ab", "1").data });
    await on(() => last().loadMore());
    expect(network.bodies.map(({ variables }) => variables)).toEqual([
      { symbol: "BTCUSDT" },
      { symbol: "BTCUSDT", after: "1" },
      { symbol: "BTCUSDT", after: "2" },
    ]);
  });

  it("is loading without rows until the first answer, and reads no page twice", async () => {
    const { client, network, render, last, on, states } = paged(pageOf("a", "1"), LOST.silent);
    await render(client, {});
    expect(states[0]).toMatchObject({ rows: undefined, data: undefined, isLoading: true, hasMore: false, errors: [] });
    await on(() => undefined);
    await on(() => last().loadMore());
    expect(last()).toMatchObject({ isLoading: true, hasMore: true });
    await on(() => last().loadMore());
    expect(network.bodies).toHaveLength(2);
  });

  it("has no rows if the list could not be read, and keeps those that it has; either is read again", async () => {
    const { client, network, render, last, on, ids } = paged(refused, pageOf("ab", "1"), refused, pageOf("c"), LOST.refused);
    await render(client, {});
    await on(() => undefined);
    expect(last()).toMatchObject({ rows: undefined, isLoading: false, hasMore: false, errors: [{ code: "RATE_LIMITED" }] });
    await on(() => last().refresh());
    expect(last()).toMatchObject({ errors: [], hasMore: true });
    await on(() => last().loadMore());
    expect([ids(), last().hasMore, last().errors.map(({ code }) => code)]).toEqual(["ab", true, ["RATE_LIMITED"]]);
    await on(() => last().loadMore());
    expect([ids(), last().hasMore, last().errors]).toEqual(["abc", false, []]);
    await on(() => last().refresh());
    expect([ids(), last().isLoading, last().errors.map(({ code }) => code)]).toEqual(["abc", false, ["UNREACHABLE"]]);
    expect(network.bodies).toHaveLength(5);
  });

  it("keeps its rows while they are read anew, and has only the first page then", async () => {
    const { client, render, last, on, ids } = paged(pageOf("a", "1"), pageOf("b"), LOST.silent, pageOf("cd", "3"));
    await render(client, {});
    await on(() => undefined);
    await on(() => last().loadMore());
    await on(() => last().refresh());
    expect([ids(), last().isLoading]).toEqual(["ab", true]);
    await on(() => last().refresh());
    expect([ids(), last().hasMore]).toEqual(["cd", true]);
  });

  it("never shows rows of other variables, of another document or of another client, also where they arrive late", async () => {
    const { client, network, render, on, ids, states, last } = paged(pageOf("a"), LOST.silent, pageOf("c"), pageOf("d"));
    const missed = uncaught();
    await render(client, {});
    await on(() => undefined);
    let seen = states.length;
    const shown = () => states.slice(seen).flatMap(({ rows }) => rows?.map(({ id }) => id) ?? []);
    await render(client, { symbol: "ETHUSDT" });
    expect([shown(), last().isLoading]).toEqual([[], true]);
    // The answer that was under way is of no use any more.
    await render(client, { symbol: "SOLUSDT" });
    await on(() => undefined);
    expect([ids(), shown().includes("a")]).toEqual(["c", false]);
    seen = states.length;
    await render(client, { symbol: "SOLUSDT", document: FILLS });
    await on(() => undefined);
    expect([ids(), shown().includes("c")]).toEqual(["d", false]);
    seen = states.length;
    const other = scripted(pageOf("e"));
    await render(other.client, { symbol: "SOLUSDT", document: FILLS });
    await on(() => undefined);
    expect([ids(), shown().includes("d")]).toEqual(["e", false]);
    expect(network.bodies).toHaveLength(4);
    expect(missed).toEqual([]);
  });

  it("is read once for equal variables, and gives up what is under way when its component goes", async () => {
    const { client, network, render, on, unmount, states } = paged(pageOf("a", "1"), LOST.silent);
    const missed = uncaught();
    await render(client, {});
    await render(client, {});
    await on(() => undefined);
    expect(network.bodies).toHaveLength(1);
    await on(() => states.at(-1)?.loadMore());
    const before = states.length;
    await unmount();
    await turn();
    expect(states).toHaveLength(before);
    expect(network.clock.pending).toBe(0);
    expect(missed).toEqual([]);
  });
});

interface Placed {
  readonly placeOrder: { readonly outcome: "ACCEPTED" | "REJECTED" | "UNKNOWN" | null; readonly orderId?: string };
}
type PlaceInput = { readonly input: { readonly qty: string; readonly idempotencyKey?: string } };
const PLACE = new TypedText<Placed, PlaceInput>(
  "mutation Place($input: PlaceOrderInput!) { placeOrder(input: $input) { outcome orderId userErrors { code message } } }",
);
const HALT = new TypedText<Placed, PlaceInput>(
  "mutation Halt($input: HaltTradingInput!) { haltTrading(input: $input) { outcome userErrors { code message } } }",
);
const outcome = (name: string, more: object = {}) => ({ data: { placeOrder: { outcome: name, userErrors: [], ...more } } });
const input = { qty: "1" };

function writing(document: typeof PLACE, ...script: ConstructorParameters<typeof ScriptedNetwork>) {
  const component = hooked((_: object): Writing<Placed, PlaceInput> => useWrite(document));
  const world = scripted(...script);
  const { network } = world;
  return {
    ...world,
    ...component,
    keys: () => network.bodies.map(({ variables }) => variables.input.idempotencyKey),
    statuses: () => component.states.map(({ status }) => status).filter((status, at, all) => status !== all[at - 1]),
    /** Begins something, and lets time pass until it has ended. */
    async whole<T>(begin: () => Promise<T>): Promise<T> {
      const begun: Promise<T>[] = [];
      // What is set at once is rendered at once.
      act(() => void begun.push(begin()));
      const [ending] = begun;
      if (ending === undefined) throw new Error("nothing was begun");
      await act(async () => {
        await network.while(ending);
      });
      return ending;
    },
    /** Lets time pass until the last write has this status. */
    async until(status: string): Promise<void> {
      for (let steps = 0; steps < 100 && component.last().status !== status; steps += 1)
        await component.on(() => network.clock.advance(500));
      expect(component.last().status).toBe(status);
    },
  };
}

describe("useWrite", () => {
  it.each([
    ["accepted", outcome("ACCEPTED", { orderId: "7" }), []],
    [
      "rejected",
      outcome("REJECTED", { userErrors: [{ code: "INSUFFICIENT_BALANCE", message: "no" }] }),
      ["INSUFFICIENT_BALANCE"],
    ],
    ["rejected", { data: null, errors: [{ message: "no", extensions: { code: "FORBIDDEN" } }] }, ["FORBIDDEN"]],
  ] as const)("is idle, sending, and %s, with payload, errors and key", async (status, answer, codes) => {
    const { client, render, last, statuses, whole } = writing(PLACE, answer);
    await render(client, {});
    expect(last()).toMatchObject({ status: "idle", payload: null, errors: [], key: null });
    const result = await whole(() => last().write({ input }));
    expect(result.outcome).toBe(status);
    expect(statuses()).toEqual(["idle", "sending", status]);
    expect(last()).toMatchObject({ status, payload: result.payload, key: result.key });
    expect(last().errors.map(({ code }) => code)).toEqual(codes);
  });

  it("is unknown, and what the look-up finds after that", async () => {
    const { client, network, render, last, statuses, keys, until, whole } = writing(
      PLACE,
      outcome("UNKNOWN"),
      outcome("UNKNOWN"),
      outcome("ACCEPTED", { orderId: "7" }),
    );
    await render(client, {});
    const result = await whole(() => last().write({ input }));
    expect(result.outcome).toBe("unknown");
    await until("accepted");
    expect(statuses()).toEqual(["idle", "sending", "unknown", "accepted"]);
    expect(last()).toMatchObject({ payload: { orderId: "7" }, key: result.key });
    expect(new Set(keys())).toEqual(new Set([result.key]));
    expect(network.clock.pending).toBe(0);
  });

  it("is repeated with the same idempotency key while there is no answer, and by hand with its own", async () => {
    const { client, render, last, keys, whole } = writing(
      PLACE,
      ...[LOST.refused, LOST.torn, outcome("REJECTED"), outcome("ACCEPTED"), outcome("ACCEPTED")],
    );
    await render(client, {});
    const { key } = await whole(() => last().write({ input }));
    if (key === null) throw new Error("it has no key");
    expect(keys()).toEqual([key, key, key]);
    await whole(() => last().write({ input }, { key: last().key ?? "" }));
    expect(last()).toMatchObject({ status: "accepted", key });
    await whole(() => last().write({ input }));
    expect(keys()[3]).toBe(key);
    expect(keys()[4]).not.toBe(key);
  });

  it("refuses a second write while one is being sent, and takes the next after it", async () => {
    const { client, network, render, last, on, whole } = writing(PLACE, LOST.silent, outcome("ACCEPTED"), outcome("ACCEPTED"));
    await render(client, {});
    let first: Promise<unknown> = Promise.resolve();
    await on(() => {
      first = last().write({ input });
    });
    expect(last().status).toBe("sending");
    await expect(last().write({ input })).rejects.toThrow("still being sent");
    expect(network.bodies).toHaveLength(1);
    await whole(() => first);
    expect(last().status).toBe("accepted");
    await whole(() => last().write({ input }));
    expect(network.bodies).toHaveLength(3);
  });

  it("is idle again if nothing could be sent, and says why", async () => {
    const document = new TypedText<Placed, PlaceInput>(
      "mutation ($input: PlaceOrderInput!) { placeOrder(input: $input) { orderId } }",
    );
    const { client, network, render, last, statuses, on } = writing(document);
    await render(client, {});
    await on(() => expect(last().write({ input })).rejects.toThrow("has to select its outcome"));
    expect(statuses().at(-1)).toBe("idle");
    expect(network.bodies).toEqual([]);
  });

  it.each([
    ["with a key", PLACE],
    ["without one", HALT],
  ])("keeps the state of the last write %s when the look-up of the one before it ends", async (_, document) => {
    const { client, network, render, last, on, whole } = writing(document, outcome("UNKNOWN"));
    await render(client, {});
    await whole(() => last().write({ input }));
    expect(last().status).toBe("unknown");
    network.answerWith(LOST.silent, outcome("REJECTED"));
    let second: Promise<unknown> = Promise.resolve();
    await on(() => {
      second = last().write({ input });
    });
    // The look-up of the first write would be answered while the second one is being sent.
    network.answerWith(outcome("ACCEPTED"));
    await on(() => network.clock.advance(1_000));
    expect([last().status, network.bodies.length]).toEqual(["sending", 2]);
    network.answerWith(outcome("REJECTED"));
    await whole(() => second);
    expect(last().status).toBe("rejected");
  });

  it("changes nothing after its component has gone, and looks nothing up", async () => {
    const missed = uncaught();
    const { client, network, render, last, on, unmount, states, whole } = writing(PLACE, outcome("UNKNOWN"));
    await render(client, {});
    await whole(() => last().write({ input }));
    await unmount();
    const before = states.length;
    await on(() => network.clock.advance(120_000));
    expect(states).toHaveLength(before);
    expect([network.bodies.length, network.clock.pending]).toEqual([1, 0]);
    expect(missed).toEqual([]);
  });

  it("is tried out as a dry run, which is no state of a write", async () => {
    const { client, network, render, last, whole } = writing(PLACE, outcome("x", { outcome: null }));
    await render(client, {});
    expect(await whole(() => last().preview({ input }))).toMatchObject({ isSound: true });
    expect(last().status).toBe("idle");
    expect(network.bodies.map(({ variables }) => variables)).toEqual([{ input: { ...input, dryRun: true } }]);
  });
});
