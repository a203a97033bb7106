import { describe, expect, it } from "vitest";
import type { Answer } from "../../src/server/answer.js";
import { type Asked, type Executed, SharedAnswers } from "../../src/server/sharedAnswers.js";

const QUERY: Asked = { caller: { principal: "anyone", traced: false }, accept: "application/json", body: '{"query":"{ a }"}' };

/** Executions that finish when the test says so. */
class Executions {
  readonly #pending: ((executed: Executed) => void)[] = [];
  started = 0;

  start = (): Promise<Executed> => {
    this.started++;
    return new Promise((resolve) => this.#pending.push(resolve));
  };

  finish(body: string, isQuery = true): void {
    const answer: Answer = { status: 200, headers: {}, body };
    this.#pending.shift()?.({ answer, isQuery });
  }
}

/** Shared answers that have seen `asked` once. */
async function knowing(asked: Asked, isQuery = true): Promise<{ shared: SharedAnswers; executions: Executions }> {
  const shared = new SharedAnswers();
  const executions = new Executions();
  const first = shared.answer(asked, executions.start);
  executions.finish("first", isQuery);
  await first;
  executions.started = 0;
  return { shared, executions };
}

describe("equal queries under way", () => {
  it("are executed once, and all get the same answer", async () => {
    const { shared, executions } = await knowing(QUERY);
    const answers = [1, 2, 3].map(() => shared.answer({ ...QUERY }, executions.start));
    executions.finish("one for all");
    expect((await Promise.all(answers)).map(({ body }) => body)).toEqual(["one for all", "one for all", "one for all"]);
    expect(executions.started).toBe(1);
  });

  it.each<[string, Asked]>([
    ["another caller", { ...QUERY, caller: { principal: "someone else", traced: false } }],
    ["a caller who wants to see the trace", { ...QUERY, caller: { principal: "anyone", traced: true } }],
    ["another accept header", { ...QUERY, accept: "application/graphql-response+json" }],
    ["no accept header", { ...QUERY, accept: undefined }],
    ["another body", { ...QUERY, body: '{"query":"{ b }"}' }],
  ])("are not shared with %s", async (_, other) => {
    const { shared, executions } = await knowing(QUERY);
    const learnt = shared.answer(other, executions.start);
    executions.finish("other");
    await learnt;
    executions.started = 0;
    const answers = [shared.answer(QUERY, executions.start), shared.answer(other, executions.start)];
    executions.finish("mine");
    executions.finish("theirs");
    expect((await Promise.all(answers)).map(({ body }) => body)).toEqual(["mine", "theirs"]);
    expect(executions.started).toBe(2);
  });

  it("are each executed again once the first has been answered", async () => {
    const { shared, executions } = await knowing(QUERY);
    const before = shared.answer(QUERY, executions.start);
    executions.finish("old");
    await before;
    const after = shared.answer(QUERY, executions.start);
    executions.finish("new");
    expect((await after).body).toBe("new");
  });

  it("that fail fail for all of them, and for nobody after them", async () => {
    const { shared, executions } = await knowing(QUERY);
    const fail = () => Promise.reject(new Error("broken"));
    const answers = [shared.answer(QUERY, fail), shared.answer(QUERY, fail)];
    for (const answer of answers) await expect(answer).rejects.toThrow("broken");
    const after = shared.answer(QUERY, executions.start);
    executions.finish("well");
    expect((await after).body).toBe("well");
  });

  it("are not joined by a query that was asked after a write", async () => {
    const { shared, executions } = await knowing(QUERY);
    const before = shared.answer(QUERY, executions.start);
    shared.written();
    const after = shared.answer(QUERY, executions.start);
    const late = shared.answer(QUERY, executions.start);
    executions.finish("read before the write");
    expect((await before).body).toBe("read before the write");
    const later = shared.answer(QUERY, executions.start);
    executions.finish("read after the write");
    expect((await Promise.all([after, late, later])).map(({ body }) => body)).toEqual([
      "read after the write",
      "read after the write",
      "read after the write",
    ]);
    expect(executions.started).toBe(2);
  });
});

describe("what is not known to be a query", () => {
  it("is executed each time", async () => {
    const { shared, executions } = await knowing(QUERY, false);
    const answers = [shared.answer(QUERY, executions.start), shared.answer(QUERY, executions.start)];
    executions.finish("first order", false);
    executions.finish("second order", false);
    expect((await Promise.all(answers)).map(({ body }) => body)).toEqual(["first order", "second order"]);
  });

  it("includes a body of more than 8 KiB", async () => {
    const long = { ...QUERY, body: "x".repeat(8_193) };
    const { shared, executions } = await knowing(long);
    const answers = [shared.answer(long, executions.start), shared.answer(long, executions.start)];
    executions.finish("a");
    executions.finish("b");
    await Promise.all(answers);
    expect(executions.started).toBe(2);
  });
});
