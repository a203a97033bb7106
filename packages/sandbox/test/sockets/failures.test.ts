import { classicTickerChannel } from "@exchange-graph/contract/channels/ticker";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TopicFeed } from "../../src/sockets/feeds/topicFeed.js";
import { openSocketWorld, type SocketWorld } from "./support/socketWorld.js";

/** A feed whose symbols are the ways in which it fails. */
const failing: TopicFeed = {
  channel: classicTickerChannel,
  subject: (argument) => ({
    channel: classicTickerChannel,
    argument,
    periodMs: 100,
    follow() {
      if (argument.instId === "FOLLOW") throw new Error("cannot be followed");
      return {
        opening: () => "[]",
        advance() {
          if (argument.instId === "ADVANCE") throw new Error("cannot advance");
          return "[1]";
        },
        notice() {
          if (argument.instId === "NOTICE") throw new Error("cannot notice");
          return undefined;
        },
      };
    },
  }),
};

let world: SocketWorld;
beforeAll(async () => {
  world = await openSocketWorld({ feeds: [failing] });
});
afterAll(() => world.close());

const about = (instId: string) => ({ instType: "SPOT", channel: "ticker", instId });

describe("a topic that fails", () => {
  it.each(["FOLLOW", "ADVANCE", "NOTICE"])("at %s is reported and leaves every other topic as it was", async (instId) => {
    const client = await world.open("/v2/ws/public");
    await client.subscribe(about(instId), about("HEALTHY")).settled();
    await client.subscribe(about("HEALTHY")).settled();
    world.world.state.events.emit({ kind: "settings", uid: "nobody" });
    world.clock.advance(300);
    const texts = await client.settled();
    expect(texts.filter((text) => text.includes("HEALTHY")).length).toBe(3);
    expect(world.reported.splice(0).map(String)).toContain(
      `Error: cannot ${instId === "FOLLOW" ? "be followed" : instId.toLowerCase()}`,
    );
    client.close();
    await expect.poll(() => world.sockets.gauges.connections, { interval: 1 }).toBe(0);
  });
});
