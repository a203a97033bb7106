import { ManualClock } from "@exchange-graph/contract/clock";
import { OperationTypeNode } from "graphql";
import { beforeEach, describe, expect, it } from "vitest";
import { ANY_CALLER, Caller } from "../../../../src/access/principal/caller.js";
import { Trace } from "../../../../src/datasources/reads/trace.js";
import { GATEWAY } from "../../../../src/datasources/scheduler/requester.js";
import { Rights } from "../../../../src/resolvers/access/rights.js";
import type { Answer } from "../../../../src/transports/http/answer.js";
import { Asked, type Executed, SharedAnswers } from "../../../../src/transports/http/apollo/sharedAnswers.js";

const BODY = '{"query":"{ a }"}';
const textOf = ({ body }: Answer): string => body.toString();
const bodied = (body: string) => new Asked(ANY_CALLER, GATEWAY, "application/json", body);
const QUERY = bodied(BODY);

/** What was read: fresh and undropped until the test says otherwise. */
class Reads {
  isFresh = true;
  isDropped = false;

  get trace(): Trace {
    const trace = new Trace();
    trace.restOn({ holds: () => this.isFresh && !this.isDropped, isDropped: () => this.isDropped });
    return trace;
  }
}

interface Outcome {
  readonly kind?: OperationTypeNode;
  readonly status?: number;
  readonly errorCodes?: readonly string[];
  readonly trace?: Trace;
}

/** Executions that finish when the test says so. */
class Executions {
  readonly #pending: ((executed: Executed) => void)[] = [];
  started = 0;

  start = (): Promise<Executed> => {
    this.started++;
    return new Promise((resolve) => this.#pending.push(resolve));
  };

  finish(body: string, { kind = OperationTypeNode.QUERY, status = 200, errorCodes = [], trace }: Outcome = {}): void {
    const answer: Answer = { status, headers: {}, body, operation: { kind, name: undefined, errorCodes } };
    this.#pending.shift()?.({ answer, trace });
  }
}

/** Asks as a request does whose body alone can tell that it is a query. */
const ask = (shared: SharedAnswers, asked: Asked, { start }: Executions): Answer | Promise<Answer> =>
  shared.ready(asked) ?? shared.answer(asked, false, start);

/** Shared answers that have seen `asked` once. */
async function knowing(asked: Asked, clock = new ManualClock(0), outcome: Outcome = {}) {
  const shared = new SharedAnswers(clock);
  const executions = new Executions();
  const first = ask(shared, asked, executions);
  executions.finish("first", outcome);
  await first;
  executions.started = 0;
  return { shared, executions };
}

const OTHERS: [string, Asked][] = [
  ["another caller", new Asked(new Caller({ ...ANY_CALLER, principal: "someone else" }), GATEWAY, "application/json", BODY)],
  ["a caller of another name", new Asked(new Caller({ ...ANY_CALLER, name: "someone" }), GATEWAY, "application/json", BODY)],
  [
    "a caller who may do less",
    new Asked(new Caller({ ...ANY_CALLER, rights: new Rights({ trade: ["main"] }) }), GATEWAY, "application/json", BODY),
  ],
  ["a caller whose rights end", new Asked(new Caller({ ...ANY_CALLER, expiresAt: 1 }), GATEWAY, "application/json", BODY)],
  ["a caller who wants to see the trace", new Asked(ANY_CALLER.asTraced, GATEWAY, "application/json", BODY)],
  ["another accept header", new Asked(ANY_CALLER, GATEWAY, "application/graphql-response+json", BODY)],
  ["no accept header", new Asked(ANY_CALLER, GATEWAY, undefined, BODY)],
  ["another body", new Asked(ANY_CALLER, GATEWAY, "application/json", '{"query":"{ b }"}')],
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
    const learnt = ask(shared, other, executions);
    executions.finish("other");
    await learnt;
    executions.started = 0;
    const answers = [ask(shared, QUERY, executions), ask(shared, other, executions)];
    executions.finish("mine");
    executions.finish("theirs");
    expect((await Promise.all(answers)).map(textOf)).toEqual(["mine", "theirs"]);
    expect(executions.started).toBe(2);
  });

  it("are each executed again once the first has been answered, where nothing says how long it holds", async () => {
    const { shared, executions } = await knowing(QUERY);
    for (const trace of [undefined, new Trace()]) {
      const before = ask(shared, QUERY, executions);
      executions.finish("old", trace === undefined ? {} : { trace });
      await before;
    }
    const after = ask(shared, QUERY, executions);
    executions.finish("new");
    expect(textOf(await after)).toBe("new");
  });

  it("that fail fail for all of them, and for nobody after them", async () => {
    const { shared, executions } = await knowing(QUERY);
    const fail = () => Promise.reject(new Error("broken"));
    const answers = [shared.answer(QUERY, false, fail), shared.answer(QUERY, false, fail)];
    for (const answer of answers) await expect(answer).rejects.toThrow("broken");
    const after = ask(shared, QUERY, executions);
    executions.finish("well");
    expect(textOf(await after)).toBe("well");
  });

  it("are not joined by a query that was asked after a write", async () => {
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

  it("are executed once more, for all who joined, when something that was read was dropped meanwhile", async () => {
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
  let shared: SharedAnswers;
  let executions: Executions;
  beforeEach(async () => {
    reads = new Reads();
    ({ shared, executions } = await knowing(QUERY, clock));
    const second = ask(shared, QUERY, executions);
    executions.finish("second");
    await second;
    executions.started = 0;
  });

  /** Answers once with this outcome; then tells whether an equal query is executed anew. */
  async function isKept(outcome: Outcome, after: () => void = () => undefined, next: Asked = QUERY): Promise<boolean> {
    const first = ask(shared, QUERY, executions);
    executions.finish("kept", outcome);
    await first;
    after();
    const second = ask(shared, next, executions);
    executions.finish("new");
    return textOf(await second) === "kept";
  }

  it("is given to equal queries as long as all that it read holds", async () => {
    expect(await isKept({ trace: reads.trace })).toBe(true);
    expect(executions.started).toBe(1);
  });

  it.each(OTHERS)("is never given to %s", async (_, other) => {
    expect(await isKept({ trace: reads.trace }, undefined, other)).toBe(false);
  });

  it("is kept from the second time on that it is asked for", async () => {
    const once = bodied('{"query":"{ once }"}');
    for (const body of ["first", "second"]) {
      expect(shared.ready(once)).toBeUndefined();
      const answer = shared.answer(once, true, executions.start);
      executions.finish(body, { trace: reads.trace });
      await answer;
    }
    expect(shared.ready(once)?.body.toString()).toBe("second");
  });

  it("is not given out once one of its reads is no longer fresh", async () => {
    expect(
      await isKept({ trace: reads.trace }, () => {
        reads.isFresh = false;
      }),
    ).toBe(false);
  });

  it("is not given out once one of its reads was dropped", async () => {
    expect(
      await isKept({ trace: reads.trace }, () => {
        reads.isDropped = true;
      }),
    ).toBe(false);
  });

  it("is not given out after a write", async () => {
    expect(await isKept({ trace: reads.trace }, () => shared.written())).toBe(false);
  });

  it("is not kept when a write ended while it was found", async () => {
    const first = ask(shared, QUERY, executions);
    shared.written();
    executions.finish("from before the write", { trace: reads.trace });
    await first;
    const second = ask(shared, QUERY, executions);
    executions.finish("from after it");
    expect(textOf(await second)).toBe("from after it");
  });

  it("is kept for a second at most, however long its reads hold", async () => {
    expect(await isKept({ trace: reads.trace }, () => clock.advance(999))).toBe(true);
    expect(await isKept({ trace: reads.trace }, () => clock.advance(1))).toBe(false);
  });

  it("is not kept when it has errors, or is none", async () => {
    expect(await isKept({ trace: reads.trace, errorCodes: ["EXCHANGE_TIMEOUT"] })).toBe(false);
    expect(await isKept({ trace: reads.trace, status: 500 })).toBe(false);
  });

  it("is not kept for one who wants to see the trace", async () => {
    const traced = new Asked(ANY_CALLER.asTraced, GATEWAY, "application/json", BODY);
    for (const body of ["first", "second"]) {
      const answer = ask(shared, traced, executions);
      executions.finish(body, { trace: reads.trace });
      expect(textOf(await answer)).toBe(body);
    }
  });

  it("of more than 64 Ki characters is not kept", async () => {
    const first = ask(shared, QUERY, executions);
    executions.finish("x".repeat(65_537), { trace: reads.trace });
    await first;
    const second = ask(shared, QUERY, executions);
    executions.finish("new");
    expect(textOf(await second)).toBe("new");
  });

  it("makes room for newer ones", async () => {
    const bodies = Array.from({ length: 201 }, (_, at) => `{"query":"{ a${at} }"}`);
    for (const body of bodies)
      for (let time = 0; time < 2; time++) {
        const answer = shared.answer(bodied(body), true, executions.start);
        executions.finish("kept", { trace: reads.trace });
        await answer;
      }
    executions.started = 0;
    await ask(shared, bodied(bodies.at(-1) ?? ""), executions);
    expect(executions.started).toBe(0);
    const oldest = ask(shared, bodied(bodies[0] ?? ""), executions);
    executions.finish("new");
    expect(textOf(await oldest)).toBe("new");
  });
});

it("what is known to be a query by other means is shared from the first time on", async () => {
  const shared = new SharedAnswers(new ManualClock(0));
  const executions = new Executions();
  const answers = [1, 2].map(() => shared.answer(QUERY, true, executions.start));
  executions.finish("one for both");
  expect((await Promise.all(answers)).map(textOf)).toEqual(["one for both", "one for both"]);
});

describe("what is not known to be a query", () => {
  it("is executed each time", async () => {
    const mutation = { kind: OperationTypeNode.MUTATION };
    const { shared, executions } = await knowing(QUERY, new ManualClock(0), mutation);
    const answers = [ask(shared, QUERY, executions), ask(shared, QUERY, executions)];
    executions.finish("first order", mutation);
    executions.finish("second order", mutation);
    expect((await Promise.all(answers)).map(textOf)).toEqual(["first order", "second order"]);
  });

  it("includes a body of more than 8 KiB", async () => {
    const long = bodied("x".repeat(8_193));
    const { shared, executions } = await knowing(long);
    const answers = [ask(shared, long, executions), ask(shared, long, executions)];
    executions.finish("a");
    executions.finish("b");
    await Promise.all(answers);
    expect(executions.started).toBe(2);
  });
});
