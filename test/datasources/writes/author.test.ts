import { expect, it } from "vitest";
import { Fault } from "../../../src/datasources/index.js";
import { placeOrder } from "../../../src/datasources/writes/mutations/placeOrder.js";
import { startedForEach } from "../../support/started.js";
import { writesOn } from "../../support/writesOn.js";
import { resting } from "./support/limitOrder.js";
import { startLiveExchange, UID } from "./support/liveExchange.js";

const live = startedForEach(() => startLiveExchange());

const sent = () => live.sandbox.calls.of("placeOrder").total;

it("the author of a write is in the journal, and is notified before the write is sent", async () => {
  const notified: [string, boolean, number][] = [];
  const author = {
    who: "token:desk",
    leaving: ({ key }: { readonly key: string }, reducesRisk: boolean) => notified.push([key, reducesRisk, sent()]),
  };
  const reads = writesOn(live.exchange, author);
  await live.during(placeOrder(reads, live.account("main"), resting("one")));
  expect(notified).toEqual([["one", false, 0]]);
  expect((await live.exchange.writes.journal.find(UID.main, "one"))?.who).toBe("token:desk");
});

it("a write that must not leave without a line in the audit does not leave without it", async () => {
  const author = {
    who: null,
    leaving: () => {
      throw new Fault("AUDIT_UNAVAILABLE", "the audit cannot be written; nothing was sent");
    },
  };
  const placing = placeOrder(writesOn(live.exchange, author), live.account("main"), resting("one"));
  await expect(live.during(placing)).rejects.toMatchObject({ extensions: { code: "AUDIT_UNAVAILABLE", retryable: true } });
  expect([sent(), await live.exchange.writes.journal.find(UID.main, "one")]).toEqual([0, undefined]);
  expect((await live.exchange.writes.journal.page(UID.main, undefined, 1))[0]?.state).toBe("UNSENT");
});
