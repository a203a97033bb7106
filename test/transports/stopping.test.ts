import { once } from "node:events";
import { expect, it } from "vitest";
import { WebSocket } from "ws";
import { eventually } from "../support/eventually.js";
import { connectionOf, liveGateway, wsUrlOf } from "../support/gateway/liveGateway.js";

it("a gateway that stops closes every socket with 1001 and ends every event stream, and does not wait for clients that do not answer", async () => {
  const gateway = await liveGateway();
  const sockets = [0, 1].map(() => new WebSocket(wsUrlOf(gateway.url), "graphql-transport-ws"));
  await Promise.all(sockets.map((socket) => once(socket, "open")));
  const codes: number[] = [];
  const [deaf] = sockets;
  for (const socket of sockets) socket.on("close", (code) => codes.push(code));
  if (deaf !== undefined) connectionOf(deaf).pause();
  const query = encodeURIComponent('subscription { ticker(category: SPOT, symbol: "BTCUSDT") { ticker { symbol } } }');
  const stream = await fetch(`${gateway.url}/graphql/stream?query=${query}`, { headers: { accept: "text/event-stream" } });
  const ended = stream.text();
  const stopped = gateway.close();
  await eventually(() => codes.length === 1);
  expect(codes).toEqual([1001]);
  for (let count = 0; count < 10; count++) await gateway.pass(1_000, 500);
  await stopped;
  await ended;
  if (deaf !== undefined) connectionOf(deaf).resume();
  await eventually(() => codes.length === 2);
});
