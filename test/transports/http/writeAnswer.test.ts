import { once } from "node:events";
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect, Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { writeAnswer } from "../../../src/transports/http/writeAnswer.js";

afterEach(() => vi.restoreAllMocks());

const ANSWER = (bytes: number) => ({ status: 200, headers: { "content-type": "text/plain" }, body: "x".repeat(bytes) });

it("an answer outside of ASCII says how many bytes it has, and comes whole", async () => {
  const body = JSON.stringify({ name: "Zürich 東京 🦊" });
  const server = createServer((_request, response) =>
    writeAnswer(
      response,
      { status: 200, headers: { "content-type": "application/json; charset=utf-8" }, body, isLast: true },
      "id",
    ),
  ).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/`);
  expect(answer.headers.get("content-length")).toBe(String(Buffer.byteLength(body)));
  expect(await answer.text()).toBe(body);
  server.close();
});

it("a long answer comes whole, in pieces that let the event loop turn, and ends where its reader does", async () => {
  const body = `x${"🦊東".repeat(1_000_000)}`;
  let turns = 0;
  let isOver = false;
  const server = createServer((_request, response) => {
    const count = () => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    response.once("close", () => {
      isOver = true;
    });
    writeAnswer(response, { status: 200, headers: { "content-type": "text/plain; charset=utf-8" }, body, isLast: true }, "id");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  expect((await (await fetch(`http://127.0.0.1:${port}/`)).text()) === body).toBe(true);
  expect(turns).toBeGreaterThan(10);
  const reader = await fetch(`http://127.0.0.1:${port}/`);
  isOver = false;
  await reader.body?.cancel();
  await expect.poll(() => isOver).toBe(true);
  server.close();
});

describe("a long answer", () => {
  const body = JSON.stringify(Array.from({ length: 40_000 }, (_, at) => ({ symbol: `SYM${at}USDT`, name: "Zürich 🦊" })));
  const headers = { "content-type": "application/json; charset=utf-8" };
  let server: Server;
  let origin: string;
  let aborted: () => void;
  beforeAll(async () => {
    server = createServer((request, response) => {
      response.once("close", () => {
        if (!response.writableFinished) aborted();
      });
      writeAnswer(response, { status: 200, headers, body: request.url === "/short" ? body.slice(0, 16_383) : body }, "id");
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const ask = async (path: string, accepted: string | undefined) => {
    const asked = get(origin + path, { agent: false, headers: accepted === undefined ? {} : { "accept-encoding": accepted } });
    const [response] = (await once(asked, "response")) as [IncomingMessage];
    return { head: response.headers, bytes: await buffer(response), response };
  };
  const UNPACK = { gzip: gunzipSync, br: brotliDecompressSync };

  it.each([
    ["gzip", "gzip"],
    ["gzip, deflate, br", "br"],
    ["br;q=0.5, gzip", "gzip"],
    ["br;q=0, *", "gzip"],
    ["*", "br"],
  ] as const)("is compressed for who accepts %s: as %s", async (accepted, encoding) => {
    const { head, bytes } = await ask("/long", accepted);
    expect(head).toMatchObject({ "content-encoding": encoding, vary: "accept-encoding", ...headers });
    expect(head["content-length"]).toBeUndefined();
    expect(bytes.length).toBeLessThan(body.length / 5);
    expect(UNPACK[encoding](bytes).toString("utf8") === body).toBe(true);
  });

  it.each([undefined, "", "identity", "deflate", "gzip;q=0", "x-gzip-2"])(
    "is sent uncompressed to clients that accept %s",
    async (accepted) => {
      const { head, bytes } = await ask("/long", accepted);
      expect(head).toMatchObject({ vary: "accept-encoding", "content-length": String(Buffer.byteLength(body)) });
      expect(head["content-encoding"]).toBeUndefined();
      expect(bytes.toString("utf8") === body).toBe(true);
    },
  );

  it("has at least 16,384 characters: shorter ones are not compressed", async () => {
    const { head } = await ask("/short", "gzip, br");
    expect([head["content-encoding"], head.vary]).toEqual([undefined, undefined]);
  });

  it("is abandoned when its reader disconnects", async () => {
    const gone = new Promise<void>((resolve) => {
      aborted = resolve;
    });
    const asked = get(`${origin}/long`, { agent: false, headers: { "accept-encoding": "gzip" } });
    const [response] = (await once(asked, "response")) as [IncomingMessage];
    response.destroy();
    await gone;
  });
});

it("a reader that takes nothing of its answer has half a minute, as have requests behind it; one that reads is not timed", async () => {
  const timed = vi.spyOn(Socket.prototype, "setTimeout");
  const written: ServerResponse[] = [];
  const server = createServer((request, response) => {
    writeAnswer(response, ANSWER(request.url === "/large" ? 64 * 2 ** 20 : 10), "id");
    written.push(response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  get({ port, host: "127.0.0.1", path: "/small", agent: false }, (response) => response.resume());
  await expect.poll(() => written.length).toBe(1);
  expect(timed).not.toHaveBeenCalledWith(30_000);

  const reader = connect(port, "127.0.0.1").pause();
  reader.write("GET /large HTTP/1.1\r\nHost: x\r\n\r\n".repeat(2));
  await expect.poll(() => written.length).toBe(3);
  expect(timed.mock.calls.filter(([ms]) => ms === 30_000)).toHaveLength(1);
  reader.resume();
  await expect.poll(() => timed.mock.calls.filter(([ms]) => ms === 30_000).length).toBe(2);
  reader.destroy();
  server.closeAllConnections();
  server.close();
});
