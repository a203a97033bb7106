import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FairQueue, type Waiting } from "../../../../src/datasources/calls/scheduler/waitingLine.js";

const drain = <T>(queue: FairQueue<T>): T[] => Array.from({ length: queue.size }, () => queue.next()).flatMap((one) => one ?? []);

describe("a fair queue", () => {
  it("lets clients take turns, and each client's own go in the order of their coming", () => {
    const queue = new FairQueue<string>();
    for (const item of ["a1", "a2", "a3", "a4", "b1", "b2", "c1"]) queue.add(item.charAt(0), item);
    expect(drain(queue)).toEqual(["a1", "b1", "c1", "a2", "b2", "a3", "a4"]);
    expect(queue.next()).toBeUndefined();
  });

  it("lets a client that comes back after each turn take no more than its turns", () => {
    const queue = new FairQueue<string>();
    for (let turn = 0; turn < 10; turn++) queue.add("many", "many");
    const order: (string | undefined)[] = [];
    for (let turn = 0; turn < 10; turn++) {
      if (turn % 2 === 0) queue.add("one by one", "one by one");
      order.push(queue.next());
    }
    expect(order.filter((one) => one === "many")).toHaveLength(5);
  });

  it("gives a client as many items of a turn as it has weight", () => {
    const queue = new FairQueue<string>();
    for (const item of ["a1", "a2", "b1", "b2", "b3", "b4", "b5", "c1", "c2"])
      queue.add(item.charAt(0), item, item.startsWith("b") ? 3 : 1);
    expect(queue.ahead("c")).toBe(2 + 5 + 2);
    expect(drain(queue)).toEqual(["a1", "b1", "b2", "b3", "c1", "a2", "b4", "b5", "c2"]);
  });

  it("leaves places for others, however many requests one client has", () => {
    const queue = new FairQueue<number>(100);
    const fill = (client: string): number => {
      let count = 0;
      for (; queue.hasRoomFor(client); count++) queue.add(client, count);
      return count;
    };
    expect([fill("greedy"), fill("other"), fill("third")]).toEqual([50, 25, 13]);
    for (let client = 0; client < 1_000; client++) fill(`client ${client}`);
    expect(queue.size).toBe(100);
  });

  it("counts those ahead as before once a client with many waiting items has left", () => {
    const queue = new FairQueue<number>();
    const many = Array.from({ length: 40 }, (_, at) => queue.add("many", at));
    for (const waiting of many) queue.remove(waiting);
    for (let at = 0; at < 3; at++) queue.add("few", at);
    expect(queue.ahead("new")).toBe(1);
  });

  it("keeps turns and bounds for any additions and removals, and a lower bound of those ahead", () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant("add" as const), client: fc.integer({ min: 0, max: 4 }) }),
      fc.record({ kind: fc.constant("remove" as const), at: fc.nat(30) }),
      fc.record({ kind: fc.constant("next" as const), client: fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const queue = new FairQueue<number>();
        // The same in words: clients in a row, each with its own row.
        const model: Modelled[] = [];
        const tickets = new Map<number, Waiting<number>>();
        let count = 0;
        for (const one of steps) {
          if (one.kind === "add") {
            const client = `c${one.client}`;
            const weight = (one.client % 3) + 1;
            const before = simulated(model, client, weight);
            const ahead = queue.ahead(client, weight);
            expect(ahead).toBeLessThanOrEqual(before);
            expect(ahead).toBeGreaterThanOrEqual(before - 4 * model.length);
            tickets.set(count, queue.add(client, count, weight));
            const known = model.find((flow) => flow.client === client);
            if (known === undefined) model.push({ client, items: [count++], weight, left: weight });
            else known.items.push(count++);
          } else if (one.kind === "remove") {
            const ticket = tickets.get(one.at);
            const place = model.findIndex(({ items }) => items.includes(one.at));
            expect(ticket === undefined ? false : queue.remove(ticket)).toBe(place >= 0);
            if (place < 0) continue;
            const flow = model[place];
            flow?.items.splice(flow.items.indexOf(one.at), 1);
            if (flow?.items.length === 0) model.splice(place, 1);
          } else if (one.client === undefined) expect(queue.next()).toBe(nextOf(model));
          else expect(queue.next(`c${one.client}`)).toBe(nextOf(model, `c${one.client}`));
          expect(queue.size).toBe(model.reduce((size, { items }) => size + items.length, 0));
          expect([...queue.clients(3)]).toEqual(model.slice(0, 3).map(({ client }) => client));
        }
      }),
      { seed: 1, numRuns: 300 },
    );
  });
});

interface Modelled {
  readonly client: string;
  readonly items: number[];
  readonly weight: number;
  left: number;
}

function nextOf(model: Modelled[], client?: string): number | undefined {
  const place = Math.max(
    0,
    model.findIndex((one) => one.client === client),
  );
  const flow = model[place];
  if (flow === undefined) return undefined;
  const item = flow.items.shift();
  flow.left--;
  if (flow.items.length === 0 || flow.left === 0) model.splice(place, 1);
  if (flow.left === 0) flow.left = flow.weight;
  else if (flow.items.length > 0) return item;
  if (flow.items.length > 0) model.push(flow);
  return item;
}

/** How many are served before one more of this client's if no others arrive. */
function simulated(model: readonly Modelled[], client: string, weight: number): number {
  const copy = model.map((flow) => ({ ...flow, items: [...flow.items] }));
  const known = copy.find(({ client: name }) => name === client);
  if (known === undefined) copy.push({ client, items: [-1], weight, left: weight });
  else known.items.push(-1);
  let ahead = 0;
  while (nextOf(copy) !== -1) ahead++;
  return ahead;
}
