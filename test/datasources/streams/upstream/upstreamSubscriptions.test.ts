import { type Argument, keyOf } from "@exchange-graph/contract/channels/channel";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UpstreamSubscriptions } from "../../../../src/datasources/streams/upstream/upstreamSubscriptions.js";

const topic = (symbol: string): Argument => ({ instType: "spot", topic: "ticker", symbol });
const A = topic("A");
const B = topic("B");
const asked = (frame: string | undefined): { op: string; args: Argument[] } | undefined =>
  frame === undefined ? undefined : JSON.parse(frame);

/** A table in which these were requested, and with `subscribed` confirmed. */
function requested(...wanted: readonly Argument[]): UpstreamSubscriptions {
  const table = new UpstreamSubscriptions();
  for (const argument of wanted) table.add(argument);
  table.next(0);
  return table;
}
function subscribed(argument: Argument): UpstreamSubscriptions {
  const table = requested(argument);
  table.acked("subscribe", argument);
  return table;
}

describe("a connection's subscriptions", () => {
  it("go out together, and are routed from then on", () => {
    const table = new UpstreamSubscriptions();
    table.add(A);
    table.add(B);
    expect(table.routeOf(A)).toBe("unwanted");
    expect(asked(table.next(0))).toEqual({ op: "subscribe", args: [A, B] });
    expect(table.next(0)).toBeUndefined();
    expect(table.acked("subscribe", B)).toBe(keyOf(B));
    expect(table.routeOf(B)).toMatchObject({ key: keyOf(B) });
  });

  it("are never more than fifteen in one request, nor more than 4096 bytes", () => {
    const table = new UpstreamSubscriptions();
    for (let count = 0; count < 40; count++) table.add(topic(`S${count}`));
    expect([table.next(0), table.next(0), table.next(0)].map((frame) => asked(frame)?.args.length)).toEqual([15, 15, 10]);
    for (let count = 0; count < 20; count++) table.add(topic(`${"L".repeat(1_000)}${count}`));
    const frames: string[] = [];
    for (let frame = table.next(0); frame !== undefined; frame = table.next(0)) frames.push(frame);
    expect(frames.map((frame) => asked(frame)?.args.length)).toEqual([3, 3, 3, 3, 3, 3, 2]);
    for (const frame of frames) expect(frame.length).toBeLessThanOrEqual(4_096);
  });

  it("that are not wanted any more before they are sent are never sent", () => {
    const table = new UpstreamSubscriptions();
    table.add(A);
    table.remove(keyOf(A));
    expect(table.next(0)).toBeUndefined();
    expect(table.size).toBe(0);
  });

  it("end with an unsubscription, and only its answer ends them", () => {
    const table = subscribed(A);
    table.remove(keyOf(A));
    expect(asked(table.next(0))).toEqual({ op: "unsubscribe", args: [A] });
    expect(table.routeOf(A)).toBe("unwanted");
    expect(table.size).toBe(1);
    table.acked("unsubscribe", A);
    expect(table.size).toBe(0);
  });

  it("wait for the answer under way before they change their mind at the exchange", () => {
    const table = requested(A);
    table.remove(keyOf(A));
    expect(table.next(0)).toBeUndefined();
    expect(table.acked("subscribe", A)).toBeUndefined();
    expect(asked(table.next(0))?.op).toBe("unsubscribe");
    table.add(A);
    expect(table.next(0)).toBeUndefined();
    table.acked("unsubscribe", A);
    expect(asked(table.next(0))?.op).toBe("subscribe");
  });

  it("renew by leaving and coming back; what is pushed in between does not count", () => {
    const table = subscribed(A);
    table.renew(keyOf(A));
    expect(table.routeOf(A)).toBe("unwanted");
    expect(asked(table.next(0))?.op).toBe("unsubscribe");
    expect(table.routeOf(A)).toBe("unwanted");
    table.acked("unsubscribe", A);
    expect(asked(table.next(0))?.op).toBe("subscribe");
    expect(table.routeOf(A)).toMatchObject({ key: keyOf(A) });
  });

  it("renew a subscription that was about to be ended", () => {
    const table = subscribed(A);
    table.remove(keyOf(A));
    table.add(A);
    expect(asked(table.next(0))?.op).toBe("unsubscribe");
    table.acked("unsubscribe", A);
    expect(asked(table.next(0))?.op).toBe("subscribe");
  });

  it("find the argument that a refusal means: the named one, or the only one under way", () => {
    const table = requested(A, B);
    expect(table.accused(B)).toBe(keyOf(B));
    expect(table.accused(undefined)).toBeUndefined();
    table.acked("subscribe", A);
    expect(table.accused(undefined)).toBe(keyOf(B));
    expect(table.refused(keyOf(B))).toBe(true);
    expect(table.size).toBe(1);
  });

  it("that were not answered are requested separately, once, and then dropped", () => {
    const table = requested(A, B);
    expect(table.expire(0)).toEqual([]);
    expect(asked(table.next(10))?.args).toEqual([A]);
    expect(asked(table.next(20))?.args).toEqual([B]);
    expect(table.expire(10)).toEqual([keyOf(A)]);
    table.acked("subscribe", B);
    expect(table.expire(1_000)).toEqual([]);
    expect(table.size).toBe(1);
  });

  it("that came too fast are asked for again later", () => {
    const table = requested(A, B);
    table.postpone(undefined, 500);
    expect(table.next(499)).toBeUndefined();
    expect(table.waitsUntil(499)).toBe(500);
    expect(asked(table.next(500))?.args).toEqual([A, B]);
  });

  it("are at most 240 within an hour, each argument counted", () => {
    const table = new UpstreamSubscriptions();
    let sent = 0;
    for (let round = 0; round < 300; round++) {
      const argument = topic(`S${round}`);
      table.add(argument);
      const frame = asked(table.next(round));
      if (frame?.op === "subscribe") sent += frame.args.length;
      table.acked("subscribe", argument);
    }
    expect(sent).toBe(240);
    expect(table.left(300)).toBe(0);
    expect(asked(table.next(3_600_300))?.args).toHaveLength(15);
  });

  it("recognise what is pushed with more in its argument than was asked with", () => {
    const plans = { instType: "UTA", topic: "strategy-order" };
    const orders = { instType: "USDT-FUTURES", channel: "orders", instId: "default" };
    const table = requested(plans, orders);
    expect(table.routeOf({ ...plans, symbol: "default" })).toMatchObject({ key: keyOf(plans) });
    expect(table.routeOf({ ...orders, instType: "usdt-futures", coin: "default" })).toMatchObject({ key: keyOf(orders) });
    expect(table.routeOf({ ...orders, instId: "BTCUSDT" })).toBe("unknown");
    expect(table.routeOf({ instType: "UTA", topic: "order" })).toBe("unknown");
  });

  it("know what was asked for a while ago from what never was", () => {
    const table = subscribed(A);
    table.remove(keyOf(A));
    table.next(0);
    table.acked("unsubscribe", A);
    expect(table.size).toBe(0);
    expect(table.routeOf(A)).toBe("unwanted");
    expect(table.routeOf(B)).toBe("unknown");
  });

  it("recognise a candle whose push leaves out its interval, where only one can be meant", () => {
    const minute = { instType: "spot", topic: "kline", symbol: "A", interval: "1m" };
    const push = { instType: "spot", topic: "kline", symbol: "A" };
    const table = requested(minute);
    expect(table.routeOf(push)).toMatchObject({ key: keyOf(minute) });
    table.add({ ...minute, interval: "1H" });
    table.next(0);
    expect(table.routeOf(push)).toBe("unknown");
    expect(table.routeOf(minute)).toMatchObject({ key: keyOf(minute) });
  });

  it("are as wished, in any order of wishes, requests, answers, refusals and silences", () => {
    const symbols = ["A", "B", "C"];
    const step = fc.record({
      what: fc.constantFrom("want", "unwant", "renew", "send", "answer", "answer", "refuse", "expire", "postpone"),
      which: fc.nat(2),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const table = new UpstreamSubscriptions();
        const wished = new Set<string>();
        const atExchange = new Set<string>();
        const underWay: { op: string; argument: Argument }[] = [];
        let now = 0;
        const send = () => {
          const frame = asked(table.next(now));
          for (const argument of frame?.args ?? []) {
            // Never two requests about one argument at once.
            expect(underWay.some((other) => keyOf(other.argument) === keyOf(argument))).toBe(false);
            underWay.push({ op: frame?.op ?? "", argument });
          }
          return frame !== undefined;
        };
        const answer = () => {
          const next = underWay.shift();
          if (next === undefined) return;
          if (next.op === "subscribe") atExchange.add(keyOf(next.argument));
          else atExchange.delete(keyOf(next.argument));
          table.acked(next.op === "subscribe" ? "subscribe" : "unsubscribe", next.argument);
        };
        for (const { what, which } of steps) {
          const argument = topic(symbols[which] ?? "A");
          const key = keyOf(argument);
          now++;
          if (what === "want") {
            wished.add(key);
            table.add(argument);
          } else if (what === "unwant") {
            wished.delete(key);
            table.remove(key);
          } else if (what === "renew") table.renew(key);
          else if (what === "send") send();
          else if (what === "answer") answer();
          else if (what === "refuse") {
            const next = underWay.find(({ op }) => op === "subscribe");
            if (next === undefined) continue;
            underWay.splice(underWay.indexOf(next), 1);
            if (table.refused(keyOf(next.argument))) wished.delete(keyOf(next.argument));
          } else if (what === "postpone") {
            const next = underWay.shift();
            if (next !== undefined) table.postpone(keyOf(next.argument), now + 5);
          }
        }
        for (let round = 0; round < 50; round++) {
          now += 10;
          send();
          while (underWay.length > 0) answer();
        }
        expect([...atExchange].sort()).toEqual([...wished].sort());
        expect(table.size).toBe(wished.size);
      }),
      { numRuns: 2_000 },
    );
  });
});
