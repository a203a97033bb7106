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
const heard: string[] = [];

beforeEach(async () => {
  heard.length = 0;
  server.listen(0, "127.0.0.1");
  await eventually(() => server.listening);
  let arrived: Socket | undefined;
  sockets.once("connection", (_socket, request) => {
    arrived = request.socket;
  });
  client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  client.on("message", (message) => heard.push(String(message)));
  await eventually(() => arrived !== undefined && client.readyState === client.OPEN);
  if (arrived !== undefined) connection = arrived;
});
afterEach(() => {
  client.terminate();
  server.close();
});

const write = (bytes: Buffer): boolean => {
  connection.write(bytes);
  return connection.writableLength > 0;
};
const shell = (id: string) => `{"id":"${id}","type":"next","payload":}`.length;

it("are read by a client as they were meant, at every length where their header changes", async () => {
  const lengths = [125, 126, 127, 65_535, 65_536, 65_537, 1_000_000];
  const payloads = lengths.map((length) => JSON.stringify("x".repeat(length - shell("a") - 2)));
  new Frames(payloads).write(prefixOf("a"), write);
  await eventually(() => heard.length === lengths.length);
  expect(heard.map((text) => text.length)).toEqual(lengths);
  expect(heard.map((text) => JSON.parse(text))).toEqual(
    payloads.map((text) => ({ id: "a", type: "next", payload: JSON.parse(text) })),
  );
});

it("carry ids of every length and any letters, and text beyond ASCII", async () => {
  const payloads = ['{"data":{"name":"Ωμέγα €"}}', "{}"];
  const frames = new Frames(payloads);
  const ids = ["1", "2", 'an id with "quotes" and €', "x".repeat(200)];
  for (const id of ids) frames.write(prefixOf(id), write);
  await eventually(() => heard.length === ids.length * 2);
  expect(heard.map((text) => JSON.parse(text))).toEqual(
    ids.flatMap((id) => payloads.map((payload) => ({ id, type: "next", payload: JSON.parse(payload) }))),
  );
});

it("that a connection has kept are not written over, and those that it has not are used again", () => {
  const frames = new Frames(['{"data":1}']);
  const kept: Buffer[] = [];
  const written: Buffer[] = [];
  for (const id of ["a", "b", "c", "d"])
    frames.write(prefixOf(id), (bytes) => {
      written.push(bytes);
      if (id === "b") kept.push(bytes);
      return id === "b";
    });
  expect(kept.map((bytes) => bytes.toString("latin1", 2))).toEqual(['{"id":"b","type":"next","payload":{"data":1}}']);
  expect(written[0]).toBe(written[1]);
  expect(written[2]).not.toBe(written[1]);
  expect(written[2]).toBe(written[3]);
});
