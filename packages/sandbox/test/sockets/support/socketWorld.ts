import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ManualClock } from "@exchange-graph/contract/clock";
import { expect } from "vitest";
import { Faults } from "../../../src/control/faults.js";
import { SkewedClock } from "../../../src/control/skewedClock.js";
import { Credentials, SANDBOX_CREDENTIALS } from "../../../src/credentials.js";
import { feedsOf } from "../../../src/sockets/feeds/feeds.js";
import type { TopicFeed } from "../../../src/sockets/feeds/topicFeed.js";
import { Sockets } from "../../../src/sockets/sockets.js";
import { createWorld, type World } from "../../../src/world/world.js";
import { SocketClient } from "./client.js";

export type SocketPath = "/v2/ws/public" | "/v2/ws/private" | "/v3/ws/public" | "/v3/ws/private";

/** The sockets over a world, without the rest of the sandbox, on a clock that is moved by hand. */
export interface SocketWorld {
  readonly clock: ManualClock;
  readonly skewed: SkewedClock;
  readonly world: World;
  readonly faults: Faults;
  readonly sockets: Sockets;
  readonly url: string;
  /** Errors of the sockets' own. There should be none, so closing with one that was not taken out throws it. */
  readonly reported: unknown[];
  open(path: SocketPath): Promise<SocketClient>;
  close(): Promise<void>;
}

export interface SocketWorldOptions {
  readonly enforceLimits?: boolean;
  /** What can be subscribed to, instead of the exchange's channels. */
  readonly feeds?: readonly TopicFeed[];
}

/** When the world begins: 15 January 2026, 10:30:00.100 UTC, not on a tick. */
export const START = Date.UTC(2026, 0, 15, 10, 30, 0, 100);

interface Shared {
  readonly file: string | undefined;
  readonly clock: ManualClock;
  readonly skewed: SkewedClock;
  readonly world: World;
}
let latest: Shared | undefined;

/** Making a world takes longer than most tests: the tests of a file share one, each with its own sockets. */
function sharedByFile(): Shared {
  const file = expect.getState().testPath;
  if (latest === undefined || latest.file !== file) {
    const clock = new ManualClock(START);
    const skewed = new SkewedClock(clock);
    latest = { file, clock, skewed, world: createWorld({ clock: skewed, seed: "sockets" }) };
  }
  return latest;
}

export async function openSocketWorld({ enforceLimits = true, feeds }: SocketWorldOptions = {}): Promise<SocketWorld> {
  const { clock, skewed, world } = sharedByFile();
  const faults = new Faults("sockets");
  const server = createServer();
  const reported: unknown[] = [];
  const sockets = new Sockets({
    clock: skewed,
    trueClock: clock,
    credentials: new Credentials(SANDBOX_CREDENTIALS),
    feeds: feeds ?? feedsOf(world.state, false),
    accounts: world.state.accounts,
    events: world.state.events,
    faults,
    seed: "sockets",
    enforceLimits,
    marketMs: world.timeline.marketMs,
    entrust() {
      throw new Error("nobody trades here");
    },
    advance: () => world.advance(),
    report: (error) => reported.push(error),
  });
  server.on("upgrade", (request, stream, head) => sockets.accept(request, stream, head));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    clock,
    skewed,
    world,
    faults,
    sockets,
    url,
    open: (path) => SocketClient.open(`${url}${path}`),
    reported,
    async close() {
      sockets.close();
      server.close();
      server.closeAllConnections();
      await once(server, "close");
      for (const error of reported) throw error;
    },
  };
}
