import { endpoints } from "@exchange-graph/contract";
import { ManualClock } from "@exchange-graph/contract/clock";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allHandlers } from "../../src/handlers/all.js";
import { Router } from "../../src/http/router.js";
import { type Sandbox, startSandbox } from "../../src/sandbox.js";
import { exampleReads, placeExampleOrders } from "../support/exampleCalls.js";
import { signedCall } from "../support/signedCall.js";

const NOW = 1_767_225_600_000;
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ clock: new ManualClock(NOW), enforceLimits: false });
  await placeExampleOrders(sandbox);
});
afterAll(() => sandbox.close());

describe("the handlers", () => {
  it("answer every endpoint of the contract, each once", () => {
    const served = new Router(allHandlers(sandbox, sandbox.clock)).endpoints.map(({ name }) => name);
    expect([...served].sort()).toEqual(endpoints.map(({ name }) => name).sort());
  });
});

describe("every read of the contract", () => {
  it.each(exampleReads(NOW).map((call) => [call.endpoint.name, call] as const))(
    "%s is answered as its codec reads",
    async (_, call) => {
      const reply = await signedCall(sandbox, call.caller, call.target);
      expect([reply.code, reply.msg]).toEqual(["00000", "success"]);
      expect(() => call.endpoint.data.decode(reply.data)).not.toThrow();
    },
  );
});
