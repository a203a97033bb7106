import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { Frames, prefixOf } from "../../../src/engine/subscriptions/frames.js";
import { eventually } from "../../support/eventually.js";

const server = createServer();
const sockets = new WebSocketServer({ server, perMessageDeflate: false });
let client: WebSocket;
let connection: Socket;
const received: string[] = [];

beforeEach(async () => {
  received.length = 0;
  server.listen(0, "127.0.0.1");
  await eventually(() => server.listening);
  let arrived: Socket | undefined;
  sockets.once("connection", (_socket, request) => {
    arrived = request.socket;
  });
  client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  client.on("message", (message) => received.push(String(message)));
  await eventually(() => arrived !== undefined && client.readyState === client.OPEN);
  if (arrived !== undefined) connection = arrived;
});
afterEach(() => {
  client.terminate();
  server.close();
});

const shell = (id: string) => `{"id":"${id}","type":"next","payload":}`.length;

it("are read by a client as they were meant, at every length where their header changes", async () => {
  const lengths = [125, 126, 127, 65_535, 65_536, 65_537, 1_000_000];
  const payloads = lengths.map((length) => JSON.stringify("x".repeat(length - shell("a") - 2)));
  new Frames(payloads).write(prefixOf("a"), connection);
  await eventually(() => received.length === lengths.length);
  expect(received.map((text) => text.length)).toEqual(lengths);
  expect(received.map((text) => JSON.parse(text))).toEqual(
    payloads.map((text) => ({ id: "a", type: "next", payload: JSON.parse(text) })),
  );
});

it("carry ids of every length and any letters, and text beyond ASCII", async () => {
  const payloads = ['{"data":{"name":"Ωμέγα €"}}', "{}"];
  const frames = new Frames(payloads);
  const ids = ["1", "2", 'an id with "quotes" and €', "x".repeat(200)];
  for (const id of ids) frames.write(prefixOf(id), connection);
  await eventually(() => received.length === ids.length * 2);
  expect(received.map((text) => JSON.parse(text))).toEqual(
    ids.flatMap((id) => payloads.map((payload) => ({ id, type: "next", payload: JSON.parse(payload) }))),
  );
});

it("that a connection has kept are not written over, and those that it has not are used again", () => {
  const frames = new Frames(['{"data":1}']);
  const written: Buffer[] = [];
  const kept: Buffer[] = [];
  /** A connection that buffers written data, or passes it to the system immediately. */
  const connectionOf = (keeps: boolean) => ({
    writableLength: 0,
    write(bytes: Buffer) {
      written.push(bytes);
      if (!keeps) return;
      kept.push(bytes);
      this.writableLength += bytes.length;
    },
  });
  for (const [id, keeps] of [
    ["a", false],
    ["b", true],
    ["b", false],
    ["c", false],
    ["d", false],
  ] as const)
    frames.write(prefixOf(id), connectionOf(keeps));
  expect(kept.map((bytes) => bytes.toString("latin1", 2))).toEqual(['{"id":"b","type":"next","payload":{"data":1}}']);
  expect(written[0]).toBe(written[1]);
  expect(written[2]).toBe(written[1]);
  expect(written[3]).not.toBe(written[2]);
  expect(written[4]).toBe(written[3]);
  expect(written[4]?.toString("latin1", 2)).toBe('{"id":"d","type":"next","payload":{"data":1}}');
});

it("begin with the same bytes for the same id", () => {
  expect(prefixOf("1")).toBe(prefixOf("1"));
  expect(prefixOf("1")).not.toEqual(prefixOf("2"));
});
