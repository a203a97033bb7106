import type { GraphEvent, Listener } from "@exchange-graph/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TypedDocumentString } from "../../../apps/desk/src/graph/generated/graphql.js";
import { Latest } from "../../../apps/desk/src/graph/latest.js";
import { follow, type LiveState, type Subscriber } from "../../../apps/desk/src/graph/live.js";
import { Beat } from "../../../apps/desk/src/state/beat.js";
import { Store } from "../../../apps/desk/src/state/store.js";

interface Price {
  readonly price: string;
}
const document = new TypedDocumentString<Price, { readonly symbol: string }>("subscription Price { price }");

/** A client whose subscriptions a test fills, and a page with a clock that stands until it is moved. */
function gateway() {
  let now = 1_000;
  const waits: { readonly at: number; readonly task: () => void }[] = [];
  const open: { readonly of: string; readonly listener: Listener<GraphEvent<Price>> }[] = [];
  const ended: string[] = [];
  const client: Subscriber = {
    subscribe(_document, variables, listener) {
      const entry = { of: JSON.stringify(variables), listener: listener as Listener<GraphEvent<Price>> };
      open.push(entry);
      return () => ended.push(entry.of);
    },
  };
  const page = {
    isConnected: vi.fn(() => true),
    received: vi.fn(),
    now: () => now,
    after(ms: number, task: () => void) {
      const entry = { at: now + ms, task };
      waits.push(entry);
      return () => void waits.splice(waits.indexOf(entry), 1);
    },
  };
  const event = { errors: [], kind: "update", time: null, stale: false, missed: 0, gap: null } as const;
  return {
    ...{ client, page, open, ended },
    price: (price: string, words: Partial<GraphEvent<Price>> = {}) =>
      open.at(-1)?.listener.next({ ...event, data: { price }, ...words }),
    pass(ms: number) {
      now += ms;
      for (const { task } of waits.filter(({ at }) => at <= now)) task();
    },
  };
}

describe("a subscription of the desk", () => {
  function followed() {
    const over = gateway();
    const taken: string[] = [];
    const states: LiveState[] = [];
    const end = follow(
      over.client,
      { document, variables: { symbol: "BTCUSDT" } },
      { take: ({ price }) => taken.push(price), report: (state) => states.push(state) },
      over.page,
    );
    return { ...over, taken, states, end };
  }

  it("passes on every event, and reports its age once a second", () => {
    const { price, pass, taken, states } = followed();
    for (const text of ["1", "2", "3", "4"]) {
      price(text);
      pass(400);
    }
    expect(taken).toEqual(["1", "2", "3", "4"]);
    expect(states.map(({ at }) => at)).toEqual([1_000, 2_200]);
  });

  it("reports at once that the gateway's line to the exchange is interrupted, and that it is back", () => {
    const { price, states } = followed();
    price("1");
    price("2", { stale: true });
    price("3");
    expect(states.map(({ stale }) => stale)).toEqual([false, true, false]);
  });

  it("says why it was refused and until when, until it has been accepted", () => {
    const { open, pass, states } = followed();
    const busy = { code: "LIMITED", codeRaw: "LIMITED", message: "too many", retryable: true } as never;
    open[0]?.listener.lost?.("LIMITED too many.", { errors: [busy], waitMs: 5_000 });
    expect(states.at(-1)).toMatchObject({ lost: "LIMITED too many", retryAt: 6_000, refused: [{ message: "too many" }] });
    pass(15_000);
    expect(states.at(-1)).toMatchObject({ lost: undefined, refused: undefined });
  });

  it("leaves a lost connection to the page's own state of it", () => {
    const { open, page, states } = followed();
    page.isConnected.mockReturnValue(false);
    open[0]?.listener.lost?.("1006");
    expect(states).toEqual([]);
  });

  it("has the errors of an event without data, and of its end", () => {
    const { open, price, states } = followed();
    const broken = { code: "X", codeRaw: "X", message: "broken", retryable: false } as never;
    price("1");
    price("2", { data: null, errors: [broken] });
    expect(states.at(-1)).toMatchObject({ at: undefined, faults: [{ message: "broken" }] });
    open[0]?.listener.error?.([broken]);
    expect(states.at(-1)).toMatchObject({ at: undefined, faults: [{ message: "broken" }] });
  });
});

describe("the last value of a subscription", () => {
  beforeEach(() => {
    vi.stubGlobal("document", { visibilityState: "visible" });
    vi.stubGlobal("requestAnimationFrame", (run: () => void) => run());
  });
  afterEach(() => void vi.unstubAllGlobals());

  it("is shared by all readers of the same variables, and ends with the last of them", async () => {
    const { client, page, open, ended, price } = gateway();
    const prices = new Latest(document, (data: Price) => data.price);
    const of = (symbol: string) => prices.of(client, { symbol }, page);
    const leaveFirst = of("BTCUSDT").subscribe(() => undefined);
    price("60000");
    const leaveSecond = of("BTCUSDT").subscribe(() => undefined);
    await expect.poll(() => of("BTCUSDT").shown().value).toBe("60000");
    const leaveOther = of("ETHUSDT").subscribe(() => undefined);
    expect(open.map((one) => one.of)).toEqual(['{"symbol":"BTCUSDT"}', '{"symbol":"ETHUSDT"}']);
    leaveFirst();
    expect(ended).toEqual([]);
    leaveSecond();
    leaveOther();
    expect(ended).toEqual(['{"symbol":"BTCUSDT"}', '{"symbol":"ETHUSDT"}']);
    expect(of("BTCUSDT").shown().value).toBeUndefined();
  });
});

describe("the first values of live data", () => {
  it("are drawn in a task each, in the order in which they came", async () => {
    const drawn: string[] = [];
    for (const name of ["book", "trades", "ticker"]) {
      const store = new Store<string | undefined>(undefined, { isLive: true });
      store.subscribe(() => {
        drawn.push(name);
        // Before another task.
        queueMicrotask(() => drawn.push(`the task of ${name} has ended`));
      });
      store.set(name);
    }
    await expect.poll(() => drawn.length).toBe(6);
    expect(drawn).toEqual(["book", "trades", "ticker"].flatMap((name) => [name, `the task of ${name} has ended`]));
  });
});

describe("the beat of live data", () => {
  /** A beat of sources whose tasks take this long each, and each frame after them, in this many ms. */
  function drawing(taskMs: number, frameMs: number, sources: number, forMs: number) {
    let now = 0;
    let busy = 0;
    const waits: { readonly at: number; readonly task: () => void }[] = [];
    const beat = new Beat({
      now: () => now,
      after: (ms, task) => void waits.push({ at: now + ms, task }),
      nextFrame(begins, drawn) {
        const draw = () => {
          begins();
          now += frameMs;
          drawn();
        };
        waits.push({ at: now + 16, task: draw });
      },
    });
    const drawn = new Map<number, number>();
    let longest = 0;
    const tasks = Array.from({ length: sources }, (_, source) => () => {
      drawn.set(source, (drawn.get(source) ?? 0) + 1);
      now += taskMs;
    });
    while (now < forMs) {
      for (const task of tasks) beat.next(task);
      const [next] = waits.sort((a, b) => a.at - b.at).splice(0, 1);
      now = Math.max(now, next?.at ?? 0);
      const started = now;
      next?.task();
      busy += now - started;
      longest = Math.max(longest, now - started);
    }
    return { share: busy / now, longest, drawn: [...drawn.values()] };
  }

  it("takes at most a quarter of a slow processor's time, in short frames, and leaves out no source", () => {
    const { share, longest, drawn } = drawing(15, 10, 6, 60_000);
    expect(share).toBeLessThanOrEqual(1 / 4);
    expect(longest).toBeLessThanOrEqual(60);
    expect(Math.max(...drawn) - Math.min(...drawn)).toBeLessThanOrEqual(1);
  });

  it("draws all sources together where that is quick, ten times a second", () => {
    const { drawn } = drawing(0.5, 1, 6, 10_000);
    expect(Math.min(...drawn)).toBeGreaterThan(80);
    expect(Math.max(...drawn)).toBeLessThanOrEqual(101);
  });

  it("runs tasks before the frame, so that what they request for the next frame is drawn in the same one", () => {
    const order: string[] = [];
    const beat = new Beat({ now: () => 0, after: (_, task) => task(), nextFrame: () => order.push("frame requested") });
    beat.next(() => order.push("task"));
    expect(order).toEqual(["frame requested", "task"]);
  });

  it("draws what comes after a pause at once", () => {
    const waits: number[] = [];
    const beat = new Beat({ now: () => 5_000, after: (ms) => void waits.push(ms), nextFrame: () => undefined });
    beat.next(() => undefined);
    expect(waits).toEqual([0]);
  });
});
