import diagnostics from "node:diagnostics_channel";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { systemClock } from "@exchange-graph/contract/clock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Transport } from "../../../../src/datasources/calls/client/transport.js";
import { eventually } from "../../../support/eventually.js";

/** An exchange that takes requests and gives no answer, and the sockets over which they came and went. */
const received: string[] = [];
const taken: Socket[] = [];
const opened: Socket[] = [];
const server = createServer((socket) => {
  taken.push(socket);
  socket.on("data", (part) => received.push(String(part)));
  socket.on("error", () => undefined);
});
const watch = (message: unknown) => opened.push((message as { readonly socket: Socket }).socket);

let transport: Transport;
beforeEach(async () => {
  diagnostics.subscribe("undici:client:connected", watch);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  transport = new Transport(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), systemClock, 1);
});
afterEach(async () => {
  diagnostics.unsubscribe("undici:client:connected", watch);
  for (const socket of taken.splice(0)) socket.destroy();
  await Promise.all([transport.close(), new Promise((closed) => server.close(closed))]);
  received.length = 0;
  opened.length = 0;
});

const post = (target: string) =>
  transport
    .send({ method: "POST", target, headers: [], body: "{}", deadlineAt: systemClock.now() + 30_000 })
    .catch((failure: unknown) => failure);

/** What the system says of a connection, whether it could not be opened or was given up later. */
const CODES = ["EHOSTUNREACH", "ENETUNREACH", "ECONNREFUSED", "ETIMEDOUT", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"];

describe("a connection that fails", () => {
  it.each(CODES)("with %s after the request was written leaves it in doubt", async (code) => {
    const answer = post("/order");
    await eventually(() => received.length > 0);
    opened[0]?.destroy(Object.assign(new Error(`read ${code}`), { code }));
    expect(await answer).toMatchObject({ kind: "broken", unreached: false, cause: { code } });
    expect(received.join("")).toContain("POST /order");
  });

  it("leaves what still waited for it unsent, and in no doubt", async () => {
    const first = post("/order");
    await eventually(() => received.length > 0);
    const second = post("/waiting");
    server.close();
    opened[0]?.destroy(Object.assign(new Error("read EHOSTUNREACH"), { code: "EHOSTUNREACH" }));
    expect([await first, await second]).toMatchObject([{ unreached: false }, { unreached: true }]);
    expect(received.join("")).not.toContain("/waiting");
    server.listen();
  });

  it("before it is open has carried nothing, for any reason", async () => {
    const nowhere = new Transport(new URL("http://127.0.0.1:1"), systemClock, 1);
    const strange = new Transport(new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}`), systemClock, 1);
    const deadlineAt = systemClock.now() + 30_000;
    const call = { method: "POST" as const, target: "/order", headers: [], body: "{}", deadlineAt };
    const noOne = nowhere.send(call).catch((failure: unknown) => failure);
    const noSecrecy = strange.send(call).catch((failure: unknown) => failure);
    await eventually(() => taken.length > 0);
    taken[0]?.end("this is no TLS");
    expect([await noOne, await noSecrecy]).toMatchObject([{ unreached: true }, { unreached: true }]);
    await Promise.all([nowhere.close(), strange.close()]);
  });
});
