import { ManualClock } from "@exchange-graph/contract/clock";
import { OperationTypeNode } from "graphql";
import { beforeEach, describe, expect, it } from "vitest";
import { ANONYMOUS_CLIENT, ClientPrincipal } from "../../../src/access/principal/clientPrincipal.js";
import { GATEWAY } from "../../../src/datasources/calls/scheduler/requester.js";
import { Trace } from "../../../src/datasources/reads/reader/trace.js";
import { type Result, SharedResults, Sharing } from "../../../src/engine/answers/result.js";
import { Rights } from "../../../src/resolvers/access/principal.js";

const BODY = '{"query":"{ a }"}';
const textOf = ({ text }: Result): string => text;
const bodied = (body: string) => new Sharing(ANONYMOUS_CLIENT, body);
const QUERY = bodied(BODY);

/** Cached data that a result depends on: fresh and not dropped until the test changes it. */
class Reads {
  isFresh = true;
  isDropped = false;

  get trace(): Trace {
    const trace = new Trace();
    trace.dependOn({ holds: () => this.isFresh && !this.isDropped, isDropped: () => this.isDropped });
    return trace;
  }
}

type Outcome = Partial<Pick<Result, "errorCodes" | "isTraced" | "trace">>;

/** Executions that finish when the test calls `finish`. */
class Executions {
  readonly #pending: ((result: Result) => void)[] = [];
  started = 0;

  start = (): Promise<Result> => {
    this.started++;
    return new Promise((resolve) => this.#pending.push(resolve));
  };

  finish(text: string, outcome: Outcome = {}): void {
    const { errorCodes = [], isTraced = false, trace } = outcome;
    const ran = { kind: OperationTypeNode.QUERY, name: undefined, errors: [], shown: [], hasRun: true };
    this.#pending.shift()?.({ ...ran, text, errorCodes, isTraced, trace });
  }
}

/** Requests a result the way the engine does. */
const ask = (shared: SharedResults, asked: Sharing, { start }: Executions): Result | Promise<Result> =>
  shared.ready(asked) ?? shared.result(asked, GATEWAY, start);

/** The text that an equal query gets; if one is executed for it, that ends with `text`. */
async function answered(shared: SharedResults, asked: Sharing, executions: Executions, text: string, outcome?: Outcome) {
  const answer = ask(shared, asked, executions);
  executions.finish(text, outcome);
  return textOf(await answer);
}

/** Shared results after `asked` has been requested once. */
async function knowing(asked: Sharing, clock = new ManualClock(0), outcome: Outcome = {}) {
  const shared = new SharedResults(clock);
  const executions = new Executions();
  await answered(shared, asked, executions, "first", outcome);
  executions.started = 0;
  return { shared, executions };
}

const OTHERS: [string, Sharing][] = [
  ["another client", new Sharing(new ClientPrincipal({ ...ANONYMOUS_CLIENT, id: "someone else" }), BODY)],
  ["a client of another name", new Sharing(new ClientPrincipal({ ...ANONYMOUS_CLIENT, name: "someone" }), BODY)],
  [
    "a client who may do less",
    new Sharing(new ClientPrincipal({ ...ANONYMOUS_CLIENT, rights: new Rights({ trade: ["main"] }) }), BODY),
  ],
  ["a client whose rights end", new Sharing(new ClientPrincipal({ ...ANONYMOUS_CLIENT, expiresAt: 1 }), BODY)],
  ["another request", bodied('{"query":"{ b }"}')],
];

describe("equal queries under way", () => {
  it("are executed once, and all get the same answer", async () => {
    const { shared, executions } = await knowing(QUERY);
    const answers = [1, 2, 3].map(() => ask(shared, QUERY, executions));
    executions.finish("one for all");
    expect((await Promise.all(answers)).map(textOf)).toEqual(["one for all", "one for all", "one for all"]);
    expect(executions.started).toBe(1);
  });

  it.each(OTHERS)("are not shared with %s", async (_, other) => {
    const { shared, executions } = await knowing(QUERY);
    await answered(shared, other, executions, "other");
    executions.started = 0;
    const answers = [ask(shared, QUERY, executions), ask(shared, other, executions)];
    executions.finish("mine");
    executions.finish("theirs");
    expect((await Promise.all(answers)).map(textOf)).toEqual(["mine", "theirs"]);
    expect(executions.started).toBe(2);
  });

  it("are executed separately after the first has completed if its validity is unknown", async () => {
    const { shared, executions } = await knowing(QUERY);
    for (const outcome of [{}, { trace: new Trace() }]) await answered(shared, QUERY, executions, "old", outcome);
    expect(await answered(shared, QUERY, executions, "new")).toBe("new");
  });

  it("fail together, without effect on later requests", async () => {
    const { shared, executions } = await knowing(QUERY);
    const fail = () => Promise.reject(new Error("broken"));
    const answers = [shared.result(QUERY, GATEWAY, fail), shared.result(QUERY, GATEWAY, fail)];
    for (const answer of answers) await expect(answer).rejects.toThrow("broken");
    expect(await answered(shared, QUERY, executions, "well")).toBe("well");
  });

  it("are not joined by a query that arrives after a write", async () => {
    const { shared, executions } = await knowing(QUERY);
    const before = ask(shared, QUERY, executions);
    shared.written();
    const after = ask(shared, QUERY, executions);
    const late = ask(shared, QUERY, executions);
    executions.finish("read before the write");
    expect(textOf(await before)).toBe("read before the write");
    const later = ask(shared, QUERY, executions);
    executions.finish("read after the write");
    expect((await Promise.all([after, late, later])).map(textOf)).toEqual([
      "read after the write",
      "read after the write",
      "read after the write",
    ]);
    expect(executions.started).toBe(2);
  });

  it("are executed once more for all that joined if a dependency was dropped meanwhile", async () => {
    const { shared, executions } = await knowing(QUERY);
    const reads = new Reads();
    const first = ask(shared, QUERY, executions);
    const joined = [ask(shared, QUERY, executions), ask(shared, QUERY, executions)];
    reads.isDropped = true;
    executions.finish("overtaken", { trace: reads.trace });
    expect(textOf(await first)).toBe("overtaken");
    await Promise.resolve();
    executions.finish("current");
    expect((await Promise.all(joined)).map(textOf)).toEqual(["current", "current"]);
    expect(executions.started).toBe(2);
  });
});

describe("an answer", () => {
  const clock = new ManualClock(0);
  let reads: Reads;
  let shared: SharedResults;
  let executions: Executions;
  beforeEach(async () => {
    reads = new Reads();
    ({ shared, executions } = await knowing(QUERY, clock));
    await answered(shared, QUERY, executions, "second");
    executions.started = 0;
  });

  /** Finishes one execution with this outcome; resolves to whether an equal query gets the same result. */
  async function isKept(outcome: Outcome, after: () => void = () => undefined, next: Sharing = QUERY): Promise<boolean> {
    await answered(shared, QUERY, executions, "kept", outcome);
    after();
    return (await answered(shared, next, executions, "new")) === "kept";
  }

  it("is returned to equal queries as long as everything it read is valid", async () => {
    expect(await isKept({ trace: reads.trace })).toBe(true);
    expect(executions.started).toBe(1);
  });

  it.each(OTHERS)("is never returned to %s", async (_, other) => {
    expect(await isKept({ trace: reads.trace }, undefined, other)).toBe(false);
  });

  it("is kept from the second request on", async () => {
    const once = bodied('{"query":"{ once }"}');
    for (const body of ["first", "second"]) {
      expect(shared.ready(once)).toBeUndefined();
      const answer = shared.result(once, GATEWAY, executions.start);
      executions.finish(body, { trace: reads.trace });
      await answer;
    }
    expect(shared.ready(once)?.text).toBe("second");
  });

  it("is not returned once one of its reads is no longer fresh", async () => {
    expect(
      await isKept({ trace: reads.trace }, () => {
        reads.isFresh = false;
      }),
    ).toBe(false);
  });

  it("is not returned once one of its reads was dropped", async () => {
    expect(
      await isKept({ trace: reads.trace }, () => {
        reads.isDropped = true;
      }),
    ).toBe(false);
  });

  it("is not returned after a write", async () => {
    expect(await isKept({ trace: reads.trace }, () => shared.written())).toBe(false);
  });

  it("is not kept if a write ended during its execution", async () => {
    const first = ask(shared, QUERY, executions);
    shared.written();
    executions.finish("from before the write", { trace: reads.trace });
    await first;
    expect(await answered(shared, QUERY, executions, "from after it")).toBe("from after it");
  });

  it("is kept for one second at most, even if its reads stay valid longer", async () => {
    expect(await isKept({ trace: reads.trace }, () => clock.advance(999))).toBe(true);
    expect(await isKept({ trace: reads.trace }, () => clock.advance(1))).toBe(false);
  });

  it("evicts nothing for a result that arrives after its lifetime", async () => {
    expect(await isKept({ trace: reads.trace })).toBe(true);
    for (let turn = 0; turn < 3; turn++)
      for (let at = 0; at < 380; at++)
        await answered(shared, bodied(`{"query":"{ a${at} }"}`), executions, "a", { trace: reads.trace });
    expect(shared.ready(QUERY)?.text).toBe("kept");
  });

  it("is not kept when it has errors", async () => {
    expect(await isKept({ trace: reads.trace, errorCodes: ["EXCHANGE_TIMEOUT"] })).toBe(false);
  });

  it("is not kept if it contains its trace", async () => {
    expect(await isKept({ trace: reads.trace, isTraced: true })).toBe(false);
  });

  it("to a request of more than 8 KiB is not kept", async () => {
    const long = bodied("x".repeat(8_193));
    for (const text of ["first", "second", "third"])
      expect(await answered(shared, long, executions, text, { trace: reads.trace })).toBe(text);
  });

  it("of more than 64 Ki characters is not kept", async () => {
    await answered(shared, QUERY, executions, "x".repeat(65_537), { trace: reads.trace });
    expect(await answered(shared, QUERY, executions, "new")).toBe("new");
  });

  it("makes room for newer ones", async () => {
    const bodies = Array.from({ length: 201 }, (_, at) => `{"query":"{ a${at} }"}`);
    for (const body of bodies)
      for (let time = 0; time < 2; time++) await answered(shared, bodied(body), executions, "kept", { trace: reads.trace });
    executions.started = 0;
    await ask(shared, bodied(bodies.at(-1) ?? ""), executions);
    expect(executions.started).toBe(0);
    expect(await answered(shared, bodied(bodies[0] ?? ""), executions, "new")).toBe("new");
  });
});
