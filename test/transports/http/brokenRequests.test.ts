import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import type { LimitOverrides } from "../../../src/limits.js";
import { type TinyGateway, tinyGateway } from "../../support/gateway/tinyGateway.js";

let tiny: TinyGateway | undefined;
afterEach(() => tiny?.gateway.stop());

async function connected(limits: LimitOverrides = {}, gate?: () => Promise<void>): Promise<Socket> {
  tiny = await tinyGateway({ limits, ...(gate === undefined ? {} : { gate }) });
  const socket = connect(Number.parseInt(new URL(tiny.url).port, 10), "127.0.0.1");
  await once(socket, "connect");
  return socket;
}

/** All data received until the gateway closes the connection. */
async function allFrom(socket: Socket): Promise<string> {
  let text = "";
  socket.setEncoding("utf8").on("data", (part: string) => {
    text += part;
  });
  socket.on("error", () => undefined);
  await once(socket, "close");
  return text;
}

async function answerTo(first: string, limits: LimitOverrides = {}): Promise<string> {
  const socket = await connected(limits);
  socket.write(first);
  return allFrom(socket);
}

const BODY = '{"query":"{ slow }"}';
const SLOW = `POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`;

describe("input that is not a valid request", () => {
  it.each([
    ["is no HTTP", "whatever\r\n\r\n", "400 Bad Request", "The request could not be read."],
    [
      "says in two ways how long it is",
      "POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "400 Bad Request",
      "The request could not be read.",
    ],
    [
      "says two lengths",
      "POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
      "400 Bad Request",
      "The request could not be read.",
    ],
    [
      "hides a header behind a bare line feed",
      "GET /graphql HTTP/1.1\r\nHost: x\r\nA: b\rTransfer-Encoding: chunked\r\n\r\n",
      "400 Bad Request",
      "The request could not be read.",
    ],
    [
      "has headers without end",
      `GET /graphql HTTP/1.1\r\nHost: x\r\nA: ${"b".repeat(20_000)}\r\n\r\n`,
      "431 Request Header Fields Too Large",
      "The headers of the request are too long.",
    ],
  ])("gets an error, and its connection is closed, if it %s", async (_, first, status, message) => {
    const answer = await answerTo(first);
    const [head = "", body = ""] = answer.split("\r\n\r\n");
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status}\r\n`));
    expect(head).toContain("\r\nconnection: close");
    expect(head).toContain("\r\nx-content-type-options: nosniff");
    expect(head).toContain(`\r\ncontent-length: ${Buffer.byteLength(body)}`);
    expect(JSON.parse(body)).toEqual({ errors: [{ message, extensions: { code: "BAD_REQUEST", retryable: false } }] });
  });

  it.each([
    ["the end of its headers", "POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: applic"],
    ["the end of its body", SLOW.slice(0, -5)],
  ])("gets an error if it takes too long to reach %s", async (_, first) => {
    const answer = await answerTo(first, { connection: { headersMs: 100, requestMs: 100 } });
    expect(answer).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/);
    expect(answer).toContain("The request was not complete in time.");
  });

  it("gets no error instead of a pending response", async () => {
    const socket = await connected({}, () => new Promise(() => undefined));
    socket.write(`${SLOW}${SLOW}no request\r\n\r\n`);
    expect(await allFrom(socket)).toBe("");
  });

  it("gets no error within a response that has started", async () => {
    const socket = await connected({ connection: { headersMs: 100, requestMs: 100 } });
    const reserved = await fetch(`${tiny?.url}/graphql/stream`, { method: "PUT" });
    socket.write(`GET /graphql/stream?token=${await reserved.text()} HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n`);
    socket.write("Content-Length: 9\r\n\r\n");
    expect((await allFrom(socket)).match(/^HTTP.*/gm)).toEqual(["HTTP/1.1 200 OK"]);
  });
});

it("a WebSocket without connection_init is closed with a reason after the timeout", async () => {
  tiny = await tinyGateway({ limits: { socket: { connectionInitMs: 100 } } });
  const socket = new WebSocket(`${tiny.url.replace("http", "ws")}/graphql`, "graphql-transport-ws");
  const [code, reason] = await once(socket, "close");
  expect([code, String(reason)]).toEqual([4408, "Connection initialisation timeout"]);
});
