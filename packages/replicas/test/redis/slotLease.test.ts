import { expect, it } from "vitest";
import { CounterLease } from "../../src/redis/slotLease.js";

const COUNTER = { endpoint: "tickers", counter: "IP", limit: 20, windowMs: 1_000 };

it("is asked for further slots by calls that wait for them, and not by calls that wait for something else", () => {
  let demands = 0;
  const lease = new CounterLease(COUNTER, {
    monotonic: () => 0,
    engine: { isUp: true, gone: undefined },
    demand: () => demands++,
  });
  const use = { held: 2, waiting: 3, isForCancels: false };
  lease.usedBy(
    () => use,
    () => undefined,
  );
  const answered = (grant: { readonly slots: number; readonly fair: number; readonly free: number }) => {
    const request = lease.next();
    if (request === undefined) throw new Error("there is no request");
    lease.granted(request, { ...grant, replicas: 2 });
    return request;
  };
  const demanded = () => {
    demands = 0;
    lease.demand();
    return demands;
  };

  expect(demanded()).toBe(1);
  expect(answered({ slots: 7, fair: 20, free: 13 })).toMatchObject({ want: 7 });
  // The calls are refused by the exchange, or wait for the address.
  expect(demanded()).toBe(0);
  use.waiting = 6;
  expect(demanded()).toBe(1);
  expect(answered({ slots: 10, fair: 20, free: 10 })).toMatchObject({ want: 10 });
  expect(demanded()).toBe(0);
  // The other replicas have not taken theirs yet.
  use.waiting = 15;
  expect(demanded()).toBe(1);
  answered({ slots: 12, fair: 12, free: 3 });
  expect(demanded()).toBe(0);
});
