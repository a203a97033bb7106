import type { Endpoint } from "@exchange-graph/contract/endpoint";
import { describe, expect, it } from "vitest";
import type { AccountMode, ExchangeAccount } from "../../../../src/datasources/calls/accounts/exchangeAccount.js";
import { Fault, type RequestReads } from "../../../../src/datasources/index.js";
import { ordersState } from "../../../../src/datasources/streams/channels/orders.js";
import { plansState } from "../../../../src/datasources/streams/channels/plans.js";
import { positionsState } from "../../../../src/datasources/streams/channels/positions.js";
import { PrivateFeed } from "../../../../src/datasources/streams/feeds/privateFeed.js";
import type { PrivateState } from "../../../../src/datasources/streams/feeds/privateState.js";
import { accountNamed } from "../../../support/exchangeOver.js";
import { wireOrder, wirePosition } from "../support/accountWorld.js";
import { START } from "../support/followed.js";
import { type HandFed, handFed, Written } from "../support/handFed.js";

/**
 * An account whose readings are answered by hand: a call sees the exchange when `look` is called, and its answer arrives when
 * `answer` is.
 */
interface Version {
  readonly id: string;
  readonly wire: object;
  readonly isOpen: boolean;
}

interface Call {
  readonly reading: number;
  readonly endpoint: Endpoint;
  readonly values: Readonly<Record<string, unknown>>;
  readonly resolve: (data: unknown) => void;
  readonly reject: (fault: Fault) => void;
  seen: readonly Version[] | undefined;
}

interface Kind {
  readonly name: string;
  readonly topic: string;
  readonly state: (account: ExchangeAccount, mode: AccountMode) => PrivateState<readonly object[]>;
  readonly idOf: (record: never) => string;
  readonly isOver: (record: never) => boolean;
  /** What a reader of an event sees of a record. */
  readonly shown: (record: never) => string;
  /** Rows of a call's answer. */
  readonly rows: (call: Call, all: readonly Version[]) => readonly object[];
}

const at = (later: number) => String(START + later);

const plan = (orderId: string, changes: object = {}) => ({
  orderId,
  clientOid: `c-${orderId}`,
  symbol: "BTCUSDT",
  category: "USDT-FUTURES",
  status: "live",
  side: "buy",
  posSide: "long",
  qty: "1",
  triggerPrice: "60000",
  createdTime: at(0),
  updatedTime: at(0),
  ...changes,
});

const ORDERS: Kind = {
  name: "orders",
  topic: "order",
  state: ordersState,
  idOf: ({ orderId }: { orderId: string }) => orderId,
  isOver: ({ status }: { status: string }) => ["filled", "cancelled"].includes(status),
  shown: ({ status, price, takeProfit }: { status: string; price: string; takeProfit: string | null }) =>
    [status, price, takeProfit].filter((part) => part !== null).join(" "),
  rows: ({ endpoint: { name }, values }, all) => {
    if (name === "openOrders") return all.filter(({ isOpen }) => isOpen).map(({ wire }) => wire);
    if (name === "orderInfo") return all.filter(({ id }) => id === values.orderId).map(({ wire }) => wire);
    return values.category === "SPOT" ? all.filter(({ isOpen }) => !isOpen).map(({ wire }) => wire) : [];
  },
};

const PLANS: Kind = {
  name: "planOrders",
  topic: "strategy-order",
  state: plansState,
  idOf: ({ orderId }: { orderId: string }) => orderId,
  isOver: ({ status }: { status: string }) => status === "cancelled",
  shown: ({ status, triggerPrice }: { status: string; triggerPrice: string }) => `${status} ${triggerPrice}`,
  rows: ({ endpoint: { name }, values: { category, type } }, all) => {
    if (category !== "USDT-FUTURES" || type !== "trigger") return [];
    return all.filter(({ isOpen }) => isOpen === (name === "openPlanOrders")).map(({ wire }) => wire);
  },
};

const POSITIONS: Kind = {
  name: "positions",
  topic: "position",
  state: positionsState,
  idOf: ({ symbol }: { symbol: string }) => symbol,
  isOver: ({ status }: { status: string }) => status === "ended",
  shown: ({ qty }: { qty: string }) => qty,
  rows: ({ values }, all) =>
    values.category === "USDT-FUTURES" ? all.filter(({ isOpen }) => isOpen).map(({ wire }) => wire) : [],
};

/** A case: what is there at first, and what happens then, in order. A change whose push is lost comes before the reading. */
interface Story {
  readonly title: string;
  readonly kind: Kind;
  readonly before: readonly Version[];
  readonly events: readonly (Version & { readonly isLost?: boolean })[];
}

const order = (id: string, changes: Parameters<typeof wireOrder>[1], isOpen = true): Version => ({
  id,
  wire: wireOrder(id, { createdTime: at(0), updatedTime: at(0), ...changes }),
  isOpen,
});
const planned = (id: string, changes: object, isOpen = true): Version => ({ id, wire: plan(id, changes), isOpen });
const held = (id: string, changes: { size?: string; [field: string]: unknown }, isOpen = true): Version => ({
  id,
  wire: wirePosition(id, changes),
  isOpen,
});
const cancelled = (id: string, time: number) => order(id, { orderStatus: "cancelled", updatedTime: at(time) }, false);

const STORIES: readonly Story[] = [
  {
    title: "an order that is placed and cancelled while another one is looked up",
    kind: ORDERS,
    before: [order("B", {})],
    events: [{ ...cancelled("B", 1), isLost: true }, order("A", { updatedTime: at(2) }), cancelled("A", 3)],
  },
  {
    title: "an order that is filled in part and then filled",
    kind: ORDERS,
    before: [order("A", {})],
    events: [
      order("A", { orderStatus: "partially_filled", cumExecQty: "0.4", updatedTime: at(1) }),
      order("A", { orderStatus: "filled", cumExecQty: "1", updatedTime: at(2) }, false),
    ],
  },
  {
    title: "an order whose price changes twice within the second of its time",
    kind: ORDERS,
    before: [order("A", { price: "1" })],
    events: [order("A", { price: "2" }), order("A", { price: "3" })],
  },
  {
    title: "an order whose take-profit changes twice within the second of its time",
    kind: ORDERS,
    before: [order("A", { takeProfit: "2" })],
    events: [order("A", { takeProfit: "3" }), order("A", { takeProfit: "4" })],
  },
  {
    title: "a trigger order that is placed and cancelled while another one is looked up",
    kind: PLANS,
    before: [planned("B", {})],
    events: [
      { ...planned("B", { status: "cancelled", updatedTime: at(1) }, false), isLost: true },
      planned("A", { updatedTime: at(2) }),
      planned("A", { status: "cancelled", updatedTime: at(3) }, false),
    ],
  },
  {
    title: "a trigger order that changes and is cancelled",
    kind: PLANS,
    before: [planned("A", {})],
    events: [
      planned("A", { triggerPrice: "61000", updatedTime: at(1) }),
      planned("A", { triggerPrice: "61000", status: "cancelled", updatedTime: at(2) }, false),
    ],
  },
  {
    title: "a trigger order whose price changes twice within the millisecond of its time",
    kind: PLANS,
    before: [planned("A", { triggerPrice: "61000" })],
    events: [planned("A", { triggerPrice: "62000" }), planned("A", { triggerPrice: "63000" })],
  },
  {
    title: "a position that grows and is closed",
    kind: POSITIONS,
    before: [held("A", {})],
    events: [
      held("A", { size: "2", updatedTime: at(1) }),
      held("A", { size: "0", positionStatus: "ended", updatedTime: at(2) }, false),
    ],
  },
  {
    title: "a position that is closed and opened again",
    kind: POSITIONS,
    before: [held("A", {})],
    events: [
      held("A", { size: "0", positionStatus: "ended", updatedTime: at(1) }, false),
      held("A", { size: "3", createdTime: at(1), updatedTime: at(2) }),
    ],
  },
];

/** Steps of one run: the next change at the exchange, the next push, a second reading, or progress of a reading's calls. */
type Step = "change" | "push" | "again" | "look 1" | "answer 1" | "look 2" | "answer 2";

/** Number of promise callbacks that run between a step and a push: each is an await at which the push may arrive. */
const TICKS = process.env.INTERLEAVED_STEPS === undefined ? [0, 4] : [0, 1, 2, 3, 4, 6, 9, 13, 30];
const LONG = 40;

async function ticks(count: number): Promise<void> {
  for (let done = 0; done < count; done++) await undefined;
}

class Run {
  readonly #calls: Call[] = [];
  readonly #fed: HandFed = handFed();
  readonly #heard = new Written<readonly object[]>();
  readonly #feed: PrivateFeed<readonly object[]>;
  readonly #all = new Map<string, Version>();
  #changes: Story["events"][number][];
  readonly #pushes: Version[] = [];
  #readings = 0;

  constructor(private readonly story: Story) {
    for (const version of story.before) this.#all.set(version.id, version);
    this.#changes = [...story.events];
    this.#feed = new PrivateFeed(
      this.#fed.upstream,
      {
        modeOf: async () => "UNIFIED",
        forgetMode: () => undefined,
        newReads: () => this.#newReads(),
        drop: () => undefined,
      },
      accountNamed("main"),
      () => story.kind.state,
    );
  }

  #newReads(): RequestReads {
    const reading = ++this.#readings;
    const reads: Pick<RequestReads, "identitiesOf" | "modeOf" | "now" | "latest" | "read" | "signer" | "demand"> = {
      signer: undefined,
      identitiesOf: ({ name }) => [name],
      modeOf: async () => "UNIFIED",
      now: () => this.#fed.clock.now(),
      latest: () => this.#fed.clock.now(),
      demand: async () => undefined,
      read: (endpoint, values) =>
        new Promise((resolve, reject) => {
          const call = { reading, endpoint, values, reject, seen: undefined };
          this.#calls.push({ ...call, resolve: (data) => resolve(data as never) } as Call);
        }),
    };
    return reads as RequestReads;
  }

  /** Whether the step is possible now. */
  can(step: Step): boolean {
    switch (step) {
      case "change":
        return this.#changes.length > 0;
      case "push":
        return this.#pushes.length > 0;
      case "again":
        return this.#readings === 2;
      default: {
        const [what, which] = step.split(" ");
        const calls = this.#calls.filter(({ reading }) => reading === Number(which) + 1);
        return calls.some(({ seen }) => (seen === undefined) === (what === "look"));
      }
    }
  }

  /** Whether the step is possible now; then it has been taken. */
  take(step: Step): boolean {
    if (!this.can(step)) return false;
    switch (step) {
      case "change": {
        const change = this.#changes.shift();
        if (change === undefined) return false;
        this.#all.set(change.id, change);
        this.#pushes.push(change);
        return true;
      }
      case "push": {
        const version = this.#pushes.shift();
        if (version === undefined) return false;
        this.#fed.topic({ topic: this.story.kind.topic }).push([version.wire], "update", START);
        return true;
      }
      case "again": {
        const topic = this.#fed.topic({ topic: this.story.kind.topic });
        topic.sink.down();
        topic.sink.up();
        return true;
      }
      default: {
        const [what, which] = step.split(" ");
        return what === "look" ? this.#look(Number(which) + 1) : this.#answer(Number(which) + 1);
      }
    }
  }

  #look(reading: number): boolean {
    const calls = this.#calls.filter((call) => call.reading === reading && call.seen === undefined);
    for (const call of calls) call.seen = [...this.#all.values()];
    return calls.length > 0;
  }

  #answer(reading: number): boolean {
    const calls = this.#calls.filter((call) => call.reading === reading && call.seen !== undefined);
    for (const call of calls) {
      this.#calls.splice(this.#calls.indexOf(call), 1);
      const rows = this.story.kind.rows(call, call.seen ?? []);
      if (call.endpoint.name === "openPlanOrders") call.resolve(call.endpoint.data.decode(rows));
      else if (call.endpoint.name !== "orderInfo") call.resolve(call.endpoint.data.decode({ list: rows, cursor: null }));
      else if (rows[0] === undefined) call.reject(new Fault("ORDER_NOT_FOUND", "there is no such order"));
      else call.resolve(call.endpoint.data.decode(rows[0]));
    }
    return calls.length > 0;
  }

  /** Until a reading of the running stream has sent its calls. */
  async begin(hasGap: boolean): Promise<void> {
    this.#feed.start(this.#heard);
    await ticks(LONG);
    const topic = this.#fed.topic({ topic: this.story.kind.topic });
    topic.sink.up();
    for (await ticks(LONG); this.#look(1) && this.#answer(1); ) await ticks(LONG);
    expect([this.#heard.isReady, this.#heard.fault]).toEqual([true, undefined]);
    for (const lost of this.#changes.filter(({ isLost }) => isLost === true)) this.#all.set(lost.id, lost);
    this.#changes = this.#changes.filter(({ isLost }) => isLost !== true);
    if (hasGap) topic.sink.down();
    else this.#feed.changedElsewhere();
    this.#fed.clock.advance(1_000);
    if (hasGap) topic.sink.up();
    await ticks(LONG);
    expect(this.#readings).toBe(2);
  }

  /** Everything that is left happens. */
  async finish(): Promise<void> {
    let rounds = 0;
    for (const step of ["change", "push"] as const) while (this.take(step)) await ticks(LONG);
    for (let done = false; !done; ) {
      done = true;
      for (let reading = 2; reading <= this.#readings; reading++)
        if (this.#look(reading) && this.#answer(reading)) {
          await ticks(LONG);
          done = false;
        }
      for (const reading of [2, 3]) if (this.#answer(reading)) done = false;
      await ticks(LONG);
      // What is not known for certain is read again.
      if (done && !this.#feed.isProven() && rounds++ < MOST_ROUNDS) {
        this.#fed.clock.advance(1_000);
        await ticks(LONG);
        done = false;
      }
    }
    this.#feed.stop();
  }

  /** What is wrong with what a listener has seen. */
  get wrong(): readonly string[] {
    const { idOf, isOver, shown } = this.story.kind;
    const seen = new Map<string, string>();
    const over = new Set<string>();
    const wrong: string[] = [];
    for (const { kind, value, stale } of this.#heard.events) {
      const ids = new Set(value.map((record) => idOf(record as never)));
      if (kind === "snapshot") for (const id of [...seen.keys()]) if (!ids.has(id)) seen.delete(id);
      for (const record of value as never[]) {
        const id = idOf(record);
        if (isOver(record)) {
          if (over.has(id)) wrong.push(`${id} ended twice`);
          over.add(id);
          seen.delete(id);
        } else {
          const isAgain = this.story.kind === POSITIONS && shown(record) === "3";
          if (over.has(id) && !isAgain) wrong.push(`${id} came back${stale ? ", stale" : ""}`);
          seen.set(id, shown(record));
        }
      }
    }
    const open = [...this.#all.values()].filter(({ isOpen }) => isOpen);
    const expected = new Map(open.map(({ id, wire }) => [id, termsOf(wire as Terms)]));
    const current = (this.#feed.current()?.value ?? []) as never[];
    if (
      current
        .map((record) => idOf(record))
        .sort()
        .join() !== [...expected.keys()].sort().join()
    )
      wrong.push(`the state has ${current.map((record) => idOf(record)).join() || "nothing"}`);
    for (const [id, last] of seen)
      if (!expected.has(id)) wrong.push(`${id} stays ${last}`);
      else if (!last.endsWith(expected.get(id) ?? "")) wrong.push(`${id} stays ${last}`);
    return wrong;
  }
}

interface Terms {
  readonly price?: string;
  readonly takeProfit?: string;
  readonly triggerPrice?: string;
  readonly size?: string;
}

/** What is shown of a record on the wire, without its status. */
const termsOf = ({ price, takeProfit, triggerPrice, size }: Terms): string =>
  [price, takeProfit, triggerPrice, size].filter((part) => part !== undefined).join(" ");

/**
 * Every possible order of the steps, each in one run. A run tries what is possible next, and leaves the other steps to later runs
 * with the same beginning. After `most` steps the rest happens in one order.
 */
async function everyOrder(story: Story, hasGap: boolean, steps: readonly Step[], most: number, pushTicks: number) {
  const found = { runs: 0, wrong: [] as string[] };
  const beginnings: (readonly Step[])[] = [[]];
  for (let beginning = beginnings.pop(); beginning !== undefined; beginning = beginnings.pop()) {
    const run = new Run(story);
    await run.begin(hasGap);
    for (const [place, step] of beginning.entries()) {
      if (!run.take(step)) throw new Error(`${beginning.join(", ")} is not possible`);
      await ticks(beginning[place + 1] === "push" ? pushTicks : LONG);
    }
    const path = [...beginning];
    let possible: readonly Step[] = [];
    while (path.length < most) {
      possible = steps.filter((step) => run.can(step));
      // A push has to arrive some ticks after the step before it, and more have passed here.
      const next = possible.find((step) => step !== "push");
      beginnings.push(...possible.filter((step) => step !== next).map((step) => [...path, step]));
      if (next === undefined) break;
      run.take(next);
      path.push(next);
      await ticks(LONG);
    }
    if (path.length < most && possible.length > 0) continue;
    await run.finish();
    found.runs++;
    for (const wrong of run.wrong) found.wrong.push(`${path.join(", ")}: ${wrong}`);
  }
  return found;
}

/** Number of further readings, after which every record must be certain. */
const MOST_ROUNDS = 3;
const MOST_STEPS = Number.parseInt(process.env.INTERLEAVED_STEPS ?? "5", 10);

describe.each(STORIES)("$title", (story) => {
  it.each([
    ["of a running stream", false],
    ["after a gap", true],
  ])(
    "ends as at the exchange, and never returns, whichever await of a reading %s it meets",
    async (_, hasGap) => {
      const steps: readonly Step[] = ["change", "push", "look 1", "answer 1"];
      for (const pushTicks of TICKS) {
        const { runs, wrong } = await everyOrder(story, hasGap, steps, MOST_STEPS, pushTicks);
        expect(wrong.slice(0, 5)).toEqual([]);
        expect(runs).toBeGreaterThan(10);
      }
    },
    120_000,
  );

  it("ends as at the exchange where two readings overlap", async () => {
    const steps: readonly Step[] = ["change", "push", "again", "look 1", "answer 1", "look 2", "answer 2"];
    const { runs, wrong } = await everyOrder(story, true, steps, MOST_STEPS - 1, LONG);
    expect(wrong.slice(0, 5)).toEqual([]);
    expect(runs).toBeGreaterThan(10);
  }, 120_000);
});
