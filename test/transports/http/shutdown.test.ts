import { once } from "node:events";
import { connect } from "node:net";
import { ManualClock } from "@exchange-graph/contract/clock";
import { expect, it } from "vitest";
import { post, type TinyGateway, tinyGateway } from "../../support/gateway/tinyGateway.js";

/** A gateway with one request in progress, which completes when `open` is called. */
async function busyGateway(clock?: ManualClock) {
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const tiny = await tinyGateway({ gate: () => gate, ...(clock === undefined ? {} : { clock }) });
  const underWay = post(tiny.url, { query: "{ slow }" });
  while (tiny.counts.reads === 0) await post(tiny.url, { query: "{ hello }" });
  return { tiny, open, underWay };
}

const isRefused = async ({ url }: TinyGateway): Promise<boolean> => {
  try {
    return (await post(url, { query: "{ hello }" })).status === 503;
  } catch {
    return true;
  }
};

it("finishes what is under way, accepts nothing more, then ends", async () => {
  const { tiny, open, underWay } = await busyGateway();
  let stopped = false;
  const stopping = tiny.gateway.stop().then(() => {
    stopped = true;
  });
  while (!(await isRefused(tiny)));
  expect(stopped).toBe(false);
  open();
  expect(await (await underWay).json()).toEqual({ data: { slow: "at last" } });
  await stopping;
});

it("cuts off at the deadline what does not finish", async () => {
  const clock = new ManualClock(0);
  const { tiny, underWay } = await busyGateway(clock);
  const cut = expect(underWay).rejects.toThrow();
  const stopping = tiny.gateway.stop();
  clock.advance(5_000);
  await cut;
  await stopping;
  expect(tiny.lines.join()).toContain("requests were cut off");
});

it("leaves no timer behind when it ends in time", async () => {
  const clock = new ManualClock(0);
  const { gateway } = await tinyGateway({ clock });
  await gateway.stop();
  expect(clock.pending).toBe(0);
});

it("does not wait for a connection on which nothing was ever asked", async () => {
  const clock = new ManualClock(0);
  const { gateway, url } = await tinyGateway({ clock });
  const silent = connect(Number.parseInt(new URL(url).port, 10), "127.0.0.1");
  await once(silent, "connect");
  // This response arrives after the silent connection was accepted, so the server knows both.
  await (await post(url, { query: "{ hello }" })).text();
  await Promise.all([once(silent, "close"), gateway.stop()]);
});

it("does not wait for a connection that is kept alive past an answer begun before the stop", async () => {
  const clock = new ManualClock(0);
  const { tiny, open, underWay } = await busyGateway(clock);
  const stopping = tiny.gateway.stop();
  open();
  await (await underWay).text();
  await stopping;
});
