import { describe, expect, it } from "vitest";
import {
  clientGone,
  evenIfGone,
  type Requester,
  SharedRequester,
} from "../../../../src/datasources/calls/scheduler/requester.js";
import { Fault } from "../../../../src/datasources/errors/fault.js";

/** A requester that is refused on demand; counts its watchers. */
function client(name: string) {
  const tasks = new Set<(why: Fault) => void>();
  let why: Fault | undefined;
  const requester: Requester = {
    client: name,
    weight: 1,
    refusal: () => why,
    onceRefused(task) {
      if (why !== undefined) task(why);
      else tasks.add(task);
      return () => tasks.delete(task);
    },
  };
  return {
    requester,
    tasks,
    refuse(how: Fault = clientGone()) {
      why = how;
      for (const task of [...tasks]) task(how);
      tasks.clear();
    },
  };
}

describe("those who share a call", () => {
  it("want it as long as one of them does, and are notified once", () => {
    const [a, b, c] = [client("a"), client("b"), client("c")];
    const all = new SharedRequester(a.requester);
    all.join(b.requester);
    const refusals: string[] = [];
    all.onceRefused(({ code }) => refusals.push(code));
    a.refuse();
    expect([all.refusal(), refusals, all.client]).toEqual([undefined, [], "a"]);
    all.join(c.requester);
    b.refuse();
    expect(refusals).toEqual([]);
    c.refuse(new Fault("UNAUTHENTICATED", "revoked"));
    expect(refusals).toEqual(["UNAUTHENTICATED"]);
    expect(all.refusal()).toBeInstanceOf(Fault);
  });

  it("watch one of them at a time, and none once no client waits", () => {
    const all = new SharedRequester(client("first").requester);
    const others = Array.from({ length: 1_000 }, (_, at) => client(`${at}`));
    for (const { requester } of others) all.join(requester);
    const stops = [all.onceRefused(() => undefined), all.onceRefused(() => undefined)];
    expect(others.filter(({ tasks }) => tasks.size > 0)).toHaveLength(0);
    for (const stop of stops) stop();
    const [a] = others;
    if (a === undefined) throw new Error("nobody");
    const alone = new SharedRequester(a.requester);
    const stop = alone.onceRefused(() => undefined);
    expect(a.tasks.size).toBe(1);
    stop();
    expect(a.tasks.size).toBe(0);
    alone.leave(a.requester);
    expect(alone.refusal()).toMatchObject({ code: "CLIENT_GONE" });
  });

  it("ask those whose rights are not known yet", async () => {
    const later = (why: Fault | undefined): Requester => ({
      client: "",
      weight: 1,
      refusal: async () => why,
      onceRefused: () => () => undefined,
    });
    const all = new SharedRequester(later(clientGone()));
    all.join(later(undefined));
    expect(await all.refusal()).toBeUndefined();
  });
});

it("a call that is sent even if its client has gone is not sent once its token is revoked", async () => {
  const a = client("a");
  const refusals: string[] = [];
  const steadfast = evenIfGone(a.requester);
  steadfast.onceRefused(({ code }) => refusals.push(code));
  a.refuse();
  expect([refusals, steadfast.refusal()]).toEqual([[], undefined]);
  const b = client("b");
  evenIfGone(b.requester).onceRefused(({ code }) => refusals.push(code));
  b.refuse(new Fault("UNAUTHENTICATED", "revoked"));
  expect([refusals, evenIfGone(b.requester).refusal()]).toEqual([["UNAUTHENTICATED"], expect.any(Fault)]);
});
