import { once } from "node:events";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { ManualClock } from "@exchange-graph/contract/clock";
import { describe, expect, it } from "vitest";
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

describe("a connection that is kept open", () => {
  const KEPT = { keptConnectionsMs: 60_000 };
  const BODY = JSON.stringify({ query: "{ hello }" });
  const HEAD = `POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n`;

  /** A connection on which one request was answered. */
  async function kept({ url }: TinyGateway) {
    const socket = connect(Number.parseInt(new URL(url).port, 10), "127.0.0.1");
    let received = "";
    socket.setEncoding("utf8").on("data", (text: string) => {
      received += text;
    });
    const closed = once(socket, "close");
    socket.write(HEAD + BODY);
    await expect.poll(() => received).toContain("hello you");
    received = "";
    return { socket, closed, received: () => received };
  }

  it("gets a retryable answer to a request that arrives while the gateway stops, whole body or not", async () => {
    const tiny = await tinyGateway(KEPT);
    const [whole, halved] = [await kept(tiny), await kept(tiny)];
    const stopping = tiny.gateway.stop();
    halved.socket.write(HEAD);
    whole.socket.write(HEAD + BODY);
    await whole.closed;
    halved.socket.write(BODY);
    await halved.closed;
    for (const { received } of [whole, halved]) {
      const [head = "", body = ""] = received().split("\r\n\r\n");
      expect(head).toMatch(/^HTTP\/1.1 503 /);
      expect(head.toLowerCase()).toContain("\r\nconnection: close");
      expect(head.toLowerCase()).toContain("\r\nretry-after: 1");
      expect(JSON.parse(body)).toEqual({
        errors: [
          {
            message: "the gateway is stopping; nothing was started",
            extensions: { code: "UNAVAILABLE", retryable: true, retryAfterMs: 1_000 },
          },
        ],
      });
    }
    await stopping;
  });

  it("is closed after its next answer from the moment on in which /readyz is not ready", async () => {
    const clock = new ManualClock(0);
    const tiny = await tinyGateway({ clock, shutdownDelayMs: 3_000 });
    const { socket, closed, received } = await kept(tiny);
    const stopping = tiny.gateway.stop();
    socket.write(HEAD + BODY);
    await closed;
    expect(received()).toMatch(/^HTTP\/1.1 200 /);
    expect(received().toLowerCase()).toContain("connection: close");
    expect(received()).toContain("hello you");
    clock.advance(3_000);
    await stopping;
  });

  it("is not reset under a load of clients that send without a pause", async () => {
    const tiny = await tinyGateway(KEPT);
    const agent = new Agent({ keepAlive: true, maxSockets: 40 });
    const outcomes = new Map<string, number>();
    const count = (outcome: string) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    let isOver = false;
    const send = () =>
      new Promise<void>((done) => {
        const asked = request(`${tiny.url}/graphql`, { agent, method: "POST", headers: { "content-type": "application/json" } });
        asked.on("response", (response) => {
          count(String(response.statusCode));
          response.resume().once("close", () => done());
        });
        asked.on("error", (error: NodeJS.ErrnoException) => {
          // A new connection may be reset before the gateway has accepted it.
          count(asked.reusedSocket ? (error.code ?? "") : "not accepted");
          isOver ||= error.code === "ECONNREFUSED";
          done();
        });
        asked.end(JSON.stringify({ query: "{ hello }", variables: { padding: "x".repeat(1_000) } }));
      });
    const clients = Promise.all(
      Array.from({ length: 40 }, async () => {
        while (!isOver) await send();
      }),
    );
    await expect.poll(() => outcomes.get("200")).toBeGreaterThan(200);
    await tiny.gateway.stop();
    await clients;
    agent.destroy();
    expect(outcomes.get("503")).toBeGreaterThan(0);
    expect([...outcomes.keys()].sort()).toEqual(["200", "503", "not accepted"]);
  });
});
