import { ManualClock } from "@exchange-graph/contract/clock";
import { RelayEngine } from "../../../../test/support/relayStores.js";
import { relayContract } from "./relayContract.js";

relayContract("the store of the tests", async () => {
  const clock = new ManualClock(1_767_225_600_000);
  const engine = new RelayEngine(clock);
  return { stores: [engine.store("a"), engine.store("b")], pass: async (ms) => clock.advance(ms) };
});
