import { createClient } from "@exchange-graph/client";
import { clientExchange, errorsOf } from "@exchange-graph/client/urql";
import { ManualClock } from "@exchange-graph/contract/clock";
import { Client, type OperationContext, type OperationResult } from "@urql/core";
import { describe, expect, it } from "vitest";
import { Rereading } from "../../../apps/desk/src/graph/rereading.js";
import { quietTurn } from "../../support/eventually.js";

const QUERY = "{ equity }";
const MAIN = { account: "main" };
const answer = (equity: number, ageMs = 0) => ({
  data: { equity },
  extensions: { exchange: { reads: [{ endpoint: "assets", source: "REST", ageMs }] } },
});
const fault = (more: object) => ({ data: null, errors: [{ message: "no", extensions: { code: "OVERLOADED", ...more } }] });

interface Request {
  readonly isGivenUp: boolean;
  answer(body: object): Promise<void>;
}

/** urql as the desk configures it, over a network where every request waits until the test answers it. */
function desk() {
  const clock = new ManualClock(1_000_000);
  const tab = { isVisible: true, shown: new EventTarget() };
  const requests: Request[] = [];
  const client = createClient({
    url: "http://gateway/graphql",
    clock,
    fetch: (_url, { signal } = {}) =>
      new Promise((resolve, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason));
        requests.push({
          get isGivenUp() {
            return signal?.aborted === true;
          },
          async answer(body) {
            resolve(Response.json(body));
            await quietTurn();
          },
        });
      }),
  });
  const rereading = new Rereading({
    now: () => clock.now(),
    after: (ms, task) => clock.after(ms, task),
    isVisible: () => tab.isVisible,
    onceVisible(task) {
      tab.shown.addEventListener("shown", task, { once: true });
      return () => tab.shown.removeEventListener("shown", task);
    },
  });
  const exchanges = [rereading.exchange, clientExchange(client)];
  const urql = new Client({ url: "http://gateway/graphql", preferGetMethod: false, exchanges });
  const read = (context: Partial<OperationContext> = {}) => {
    const results: OperationResult[] = [];
    const { unsubscribe } = urql.query(QUERY, MAIN, { trace: true, ...context }).subscribe((result) => results.push(result));
    return {
      stop: unsubscribe,
      get reported() {
        return results
          .filter(({ stale }) => !stale)
          .map(({ data, error, extensions }) => ({
            equity: data?.equity ?? null,
            codes: errorsOf(error).map(({ code }) => code),
            ...extensions?.reading,
          }));
      },
    };
  };
  const pass = async (ms: number) => {
    await quietTurn();
    clock.advance(ms);
    await quietTurn();
  };
  const last = (): Request => {
    const request = requests.at(-1);
    if (request === undefined) throw new Error("nothing was asked");
    return request;
  };
  return { clock, tab, requests, rereading, read, pass, last };
}

describe("a query of the desk", () => {
  it("shows its age and source, and is refetched at the chosen interval, one request at a time, and for a hidden tab when it is shown", async () => {
    const { read, pass, last, requests, tab, clock } = desk();
    const reader = read({ everyMs: 2_000 });
    const other = read({ everyMs: 2_000 });
    await pass(0);
    expect(requests).toHaveLength(1);
    await last().answer(answer(1, 500));
    expect(reader.reported).toEqual([
      { equity: 1, codes: [], at: clock.now() - 500, source: "REST", retryAt: undefined, comparedAt: undefined },
    ]);
    expect(other.reported).toEqual(reader.reported);
    await pass(1_999);
    expect(requests).toHaveLength(1);
    await pass(1);
    expect(requests).toHaveLength(2);
    await pass(10_000);
    expect(requests).toHaveLength(2);
    await last().answer(answer(2));
    tab.isVisible = false;
    await pass(10_000);
    expect(requests).toHaveLength(2);
    tab.isVisible = true;
    tab.shown.dispatchEvent(new Event("shown"));
    await pass(0);
    expect(requests).toHaveLength(3);
    reader.stop();
    other.stop();
    expect(last().isGivenUp).toBe(true);
    await pass(0);
    expect(clock.pending).toBe(0);
  });

  it("shows when its state from streams was last compared with the exchange, the earliest time", async () => {
    const { read, pass, last } = desk();
    const reader = read();
    await pass(0);
    const readAt = (comparedAt: string | null) => ({ endpoint: "assets", source: "STREAM", ageMs: 0, comparedAt });
    const reads = [readAt("2026-01-31T12:00:20.000Z"), readAt("2026-01-31T12:00:00.000Z"), readAt(null)];
    await last().answer({ data: { equity: 1 }, extensions: { exchange: { reads } } });
    expect(reader.reported).toMatchObject([{ source: "STREAM", comparedAt: Date.UTC(2026, 0, 31, 12) }]);
    reader.stop();
  });

  it("is retried after a temporary fault: later each time, and not before the fault's retry time", async () => {
    const { read, pass, last, requests, clock } = desk();
    const reader = read({ everyMs: 500 });
    for (const wait of [2_000, 4_000, 30_000, 10_000]) {
      await pass(0);
      const reported = wait === 30_000 ? { retryAfterMs: wait } : {};
      await last().answer(fault({ retryable: true, ...reported }));
      expect(reader.reported.at(-1)).toMatchObject({ codes: ["OVERLOADED"], retryAt: clock.now() + wait });
      const before = requests.length;
      await pass(wait - 1);
      expect(requests).toHaveLength(before);
      await pass(1);
      expect(requests).toHaveLength(before + 1);
    }
    await last().answer(answer(1));
    expect(reader.reported.at(-1)).toMatchObject({ equity: 1, retryAt: undefined });
    await pass(500);
    await last().answer(fault({ retryable: true }));
    expect(reader.reported.at(-1)).toMatchObject({ retryAt: clock.now() + 2_000 });
  });

  it("is not retried after a permanent fault", async () => {
    const { read, pass, last, requests } = desk();
    read();
    await pass(0);
    await last().answer(fault({ retryable: false }));
    await pass(60_000);
    expect(requests).toHaveLength(1);
  });

  it("is refetched after a write that completed during the request", async () => {
    const { read, pass, last, requests, rereading } = desk();
    const reader = read();
    await pass(0);
    rereading.again();
    rereading.again();
    await pass(0);
    expect(requests).toHaveLength(1);
    await last().answer(answer(1));
    await pass(0);
    expect(requests).toHaveLength(2);
    await last().answer(answer(2));
    await pass(60_000);
    expect(requests).toHaveLength(2);
    rereading.again();
    await pass(0);
    await last().answer(answer(3));
    expect(reader.reported.map(({ equity }) => equity)).toEqual([1, 2, 3]);
  });

  it("is abandoned and requested again when the connection is restored", async () => {
    const { read, pass, last, requests, rereading } = desk();
    const reader = read();
    await pass(0);
    rereading.anew();
    await pass(0);
    expect(requests.map(({ isGivenUp }) => isGivenUp)).toEqual([true, false]);
    await last().answer(answer(2));
    rereading.anew();
    await pass(0);
    await last().answer(answer(3));
    expect(reader.reported.map(({ equity }) => equity)).toEqual([2, 3]);
    reader.stop();
    rereading.anew();
    await pass(0);
    expect(requests).toHaveLength(3);
  });
});
