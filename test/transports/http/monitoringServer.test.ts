import { request } from "node:http";
import { connect } from "node:net";
import { ManualClock } from "@exchange-graph/contract/clock";
import { afterEach, describe, expect, it } from "vitest";
import { type Clients, NO_CLIENTS } from "../../../src/access/clients.js";
import { Fault } from "../../../src/datasources/index.js";
import { eventually } from "../../support/eventually.js";
import { notReady, readyWith } from "../../support/gateway/ready.js";
import { type TinyGateway, tinyGateway } from "../../support/gateway/tinyGateway.js";

/** Rejects all clients. */
const STRICT: Clients = { ...NO_CLIENTS, identify: () => new Fault("UNAUTHENTICATED", "no token") };

let tiny: TinyGateway | undefined;
afterEach(async () => {
  await tiny?.gateway.stop();
  tiny = undefined;
});

/** A gateway with metrics on a separate server, and that server's address. */
async function apart(options: Parameters<typeof tinyGateway>[0] = {}) {
  const gateway = await tinyGateway({ ...options, monitoring: { host: "127.0.0.1", port: 0 } });
  tiny = gateway;
  const url = /Metrics and health checks at (http:\/\/[\d.:]+)/.exec(gateway.lines.join("\n"))?.[1] ?? "";
  return { ...gateway, monitoring: url };
}

/** The status of a GET with another host name. */
const statusAs = (url: string, host: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const asked = request(url, { headers: { host } }, (response) => resolve(response.resume().statusCode));
    asked.on("error", reject).end();
  });

describe("metrics on a separate port", () => {
  it("are served without a token, and no longer on the graph's port", async () => {
    const { url, monitoring } = await apart({ clients: STRICT });
    const metrics = await fetch(`${monitoring}/metrics`);
    expect(metrics.status).toBe(200);
    expect(await metrics.text()).toMatch(/^exchange_graph_requests_total\{/m);
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
  });

  it("are on the port of the health checks, which are on both ports", async () => {
    const { url, monitoring } = await apart({ readiness: notReady("no exchange") });
    for (const place of [url, monitoring]) {
      expect((await fetch(`${place}/healthz`)).status).toBe(200);
      const ready = await fetch(`${place}/readyz`);
      expect(ready.status).toBe(503);
      expect(await ready.json()).toEqual({ status: "not ready", reason: "no exchange" });
    }
  });

  it("do not show there whose key is refused", async () => {
    const details = [{ account: "desk", code: "40012", reason: "no" }];
    const readiness = readyWith({ name: "keys", state: "degraded", reason: "one is refused", details, since: 0 });
    const { monitoring } = await apart({ clients: STRICT, readiness });
    const dependencies = [{ name: "keys", state: "degraded", reason: "one is refused", since: "1970-01-01T00:00:00.000Z" }];
    expect(await (await fetch(`${monitoring}/readyz?verbose`)).json()).toEqual({ status: "ready", dependencies });
  });

  it("have nothing beside them: no graph, no GraphiQL", async () => {
    const { monitoring } = await apart();
    for (const path of ["/graphql?query={hello}", "/graphiql", "/"])
      expect((await fetch(monitoring + path)).status, path).toBe(404);
  });

  it("cannot be read by a page under a rebound host name", async () => {
    const { monitoring } = await apart();
    expect(await statusAs(`${monitoring}/metrics`, "evil.example.com")).toBe(421);
    expect(await statusAs(`${monitoring}/metrics`, "localhost")).toBe(200);
  });

  it("are served until requests in progress are answered, and report meanwhile that the gateway stops", async () => {
    let open = (): void => undefined;
    let gate: Promise<void> | undefined;
    const { gateway, monitoring, url, counts } = await apart({ gate: () => gate ?? Promise.resolve() });
    gate = new Promise((resolve) => {
      open = resolve;
    });
    const answer = fetch(`${url}/graphql?query={slow}`, { headers: { "apollo-require-preflight": "1" } });
    await expect.poll(() => counts.reads).toBe(1);
    const stopped = gateway.stop();
    const ready = await fetch(`${monitoring}/readyz`);
    expect(await ready.json()).toEqual({ status: "not ready", reason: "the gateway is stopping" });
    expect((await fetch(`${monitoring}/healthz`)).status).toBe(200);
    open();
    expect((await answer).status).toBe(200);
    await stopped;
    await expect(fetch(`${monitoring}/healthz`)).rejects.toThrow();
    tiny = undefined;
  });

  it("keep no connection open that is idle when the gateway stops", async () => {
    // The clock stands still: no deadline closes the connection.
    const { gateway, monitoring } = await apart({ clock: new ManualClock(0) });
    const socket = connect(Number(new URL(monitoring).port), "127.0.0.1");
    await new Promise((resolve) => socket.once("connect", resolve));
    const ended: string[] = [];
    socket.once("close", () => ended.push("connection"));
    gateway.stop().then(
      () => ended.push("gateway"),
      (error: unknown) => ended.push(String(error)),
    );
    await eventually(() => ended.length === 2);
    expect(ended.sort()).toEqual(["connection", "gateway"]);
    tiny = undefined;
  });
});
