import { once } from "node:events";
import type { Socket } from "node:net";
import { afterEach, expect, it } from "vitest";
import { WebSocket } from "ws";
import type { GivenLimits } from "../../../src/server/limits/limits.js";
import { type TinyGateway, tinyGateway } from "../tinyGateway.js";
import { connectionOf } from "./support/liveGateway.js";

let tiny: TinyGateway;
afterEach(() => tiny.gateway.stop());

/** A socket that has said hello. */
async function greeted(limits: GivenLimits = {}): Promise<{ socket: WebSocket; closed: Promise<readonly [number, string]> }> {
  tiny = await tinyGateway({ limits });
  const socket = new WebSocket(`${tiny.url.replace("http", "ws")}/graphql`, "graphql-transport-ws");
  const closed = once(socket, "close").then(([code, reason]) => [code, String(reason)] as const);
  socket.on("error", () => undefined);
  await once(socket, "open");
  socket.send('{"type":"connection_init"}');
  await once(socket, "message");
  return { socket, closed };
}

const asking = (id: string): string => JSON.stringify({ type: "subscribe", id, payload: { query: "{ hello }" } });

it("an id longer than any client needs is refused, for each message would carry it", async () => {
  const { socket, closed } = await greeted();
  socket.send(asking("x".repeat(200)));
  expect(JSON.parse(String((await once(socket, "message"))[0]))).toMatchObject({ id: "x".repeat(200), type: "next" });
  socket.send(asking("x".repeat(201)));
  expect(await closed).toEqual([4400, "an id of more than 200 characters"]);
});

it("more operations than a socket may hold are one refusal, and no fault of ours", async () => {
  const { socket, closed } = await greeted({ socket: { operations: 0 } });
  socket.send(asking("a"));
  expect(await closed).toEqual([4430, "more than 0 operations at once"]);
  expect(tiny.lines.filter((line) => line.includes('"refused"'))).toHaveLength(1);
  expect(tiny.lines.filter((line) => /"level":"(?:warn|error)"/.test(line))).toEqual([]);
});

it("a frame that is none is its sender's fault: no line stands out in the log", async () => {
  const { socket, closed } = await greeted();
  connectionOf(socket).write(Buffer.from([0xff, 0xff, 0xff]));
  expect(await closed).toEqual([1002, ""]);
  expect(tiny.lines.filter((line) => /"level":"(?:warn|error)"/.test(line))).toEqual([]);
});

/** More than the gateway keeps for a client that does not read, and both ends' system besides. */
const MORE_THAN_IS_KEPT = 48 * 2 ** 20;

it("a client that asks on and reads no answers is closed, however little it asks for", async () => {
  const { socket, closed } = await greeted();
  const connection: Socket = connectionOf(socket);
  connection.pause();
  const ping = JSON.stringify({ type: "ping", payload: { x: "y".repeat(60_000) } });
  for (let sent = 0; sent < MORE_THAN_IS_KEPT && connection.writable; sent += ping.length)
    await new Promise((taken) => socket.send(ping, taken));
  connection.resume();
  expect(await closed).toEqual([4429, "too slow for what it asks for"]);
}, 20_000);
