import { act, createElement } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Client } from "../src/index.js";
import { ClientProvider, type Live, type LiveOptions, useLive } from "../src/react.js";
import { TypedText, turn } from "./support/scripted.js";
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
