import { describe, expect, it } from "vitest";
import { type Preview, Previews } from "../../../apps/desk/src/panels/trade/previews.js";

/** Dry runs of orders with a clock that stands until it is moved; each answers when it is told to. */
function deskOver() {
  let now = 0;
  let tasks: { readonly at: number; readonly task: () => void }[] = [];
  const sent: string[] = [];
  const shown: Preview<string, string>[] = [];
  const answers: (() => void)[] = [];
  const previews = new Previews<string, string>(
    (input) => {
      sent.push(`${now}: ${input}`);
      return new Promise((resolve) => answers.push(() => resolve(`of ${input}`)));
    },
    (preview) => shown.push(preview),
    {
      now: () => now,
      after(ms, task) {
        const entry = { at: now + ms, task };
        tasks.push(entry);
        return () => {
          tasks = tasks.filter((one) => one !== entry);
        };
      },
    },
  );
  return {
    previews,
    sent,
    shown,
    pass(ms: number) {
      const end = now + ms;
      for (;;) {
        const [next] = tasks.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
        if (next === undefined) break;
        now = next.at;
        tasks = tasks.filter((one) => one !== next);
        next.task();
      }
      now = end;
    },
    async answer() {
      answers.shift()?.();
      await new Promise(setImmediate);
    },
  };
}

describe("the dry runs of a ticket", () => {
  it("wait for a pause in typing", () => {
    const desk = deskOver();
    for (const text of ["1", "12", "123"]) {
      desk.previews.want(text);
      desk.pass(100);
    }
    expect(desk.sent).toEqual([]);
    desk.pass(150);
    expect(desk.sent).toEqual(["450: 123"]);
  });

  it("are not put off for longer than a second, however often the order changes", () => {
    const desk = deskOver();
    for (let step = 0; step < 40; step += 1) {
      desk.previews.want(`order ${step}`);
      desk.pass(50);
    }
    expect(desk.sent).toEqual(["1000: order 19"]);
  });

  it("are one at a time; what was typed meanwhile is checked right after", async () => {
    const desk = deskOver();
    desk.previews.want("one");
    desk.pass(300);
    desk.previews.want("two");
    desk.pass(5_000);
    expect(desk.sent).toEqual(["250: one"]);
    await desk.answer();
    desk.pass(0);
    expect(desk.sent).toEqual(["250: one", "5300: two"]);
    expect(desk.shown.map(({ result }) => result)).toEqual(["of one"]);
  });

  it("of an order that does not change are repeated every 15 seconds, not more often", async () => {
    const desk = deskOver();
    desk.previews.want("same");
    desk.pass(300);
    await desk.answer();
    for (let step = 0; step < 10; step += 1) {
      desk.previews.want("same");
      desk.pass(1_400);
    }
    expect(desk.sent).toEqual(["250: same"]);
    desk.pass(2_000);
    expect(desk.sent).toEqual(["250: same", "15300: same"]);
  });

  it("stop when the ticket is closed, and show nothing of a late answer", async () => {
    const desk = deskOver();
    desk.previews.want("one");
    desk.pass(300);
    desk.previews.close();
    await desk.answer();
    desk.pass(60_000);
    expect(desk.shown).toEqual([]);
    expect(desk.sent).toEqual(["250: one"]);
  });
});
