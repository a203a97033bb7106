import { beforeEach } from "vitest";
import { startedOnce } from "../../support/started.js";
import { type LiveGraph, startLiveGraph } from "./liveGraph.js";

/** The graph that the tests of a file share; a minute passes before each of them. */
export function sharedGraph(options?: Parameters<typeof startLiveGraph>[0]): LiveGraph {
  const live = startedOnce(() => startLiveGraph(options));
  beforeEach(() => live.nextMinute());
  return live;
}
