import { request as httpRequest } from "node:http";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type GraphQLObjectType, OperationTypeNode } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { type GraphGateway, graphGateway } from "../../support/gateway/graphGateway.js";
import { post } from "../../support/gateway/tinyGateway.js";
import { graph as schema } from "../../support/graph.js";
import { oneOf, type Random, RandomOperations, seeded } from "../../support/randomOperations.js";

/** Number of requests of each kind; `FUZZ=10000` takes minutes. */
const COUNT = Number.parseInt(process.env.FUZZ ?? "100", 10);
/** Memory is checked only in runs that are long enough. */
const IS_FULL = COUNT >= 5_000;
const AT_ONCE = 10;
const MB = 2 ** 20;

// Garbage is collected before each measurement.
setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;
const rootOf = (kind: OperationTypeNode): GraphQLObjectType => {
  const root = schema.getRootType(kind);
  if (!root) throw new Error(`no ${kind}`);
  return root;
};

/** An operation of random kind and size. */
function randomOperation(seed: number): { query: string; variables: Record<string, unknown> } {
  const random = seeded(seed);
  const kind = random() < 0.8 ? OperationTypeNode.QUERY : OperationTypeNode.MUTATION;
  const options = {
    schema,
    random,
    fields: 1 + Math.floor(random() ** 3 * 300),
    depth: 2 + Math.floor(random() * 10),
  };
  return new RandomOperations(options).write(rootOf(kind), kind);
}

const PIECES = [
  '"',
  "{",
  "}",
  "[",
  "]",
  "(",
  ")",
  ":",
  "$",
  "@",
  "!",
  "...",
  "null",
  "-1",
  "1e999",
  "\\u0000",
  "\ud800",
  "\0",
  "fragment F on Query { ...F }",
  "__schema",
  "é",
  "#",
  '"""',
];

/** The text with random parts removed, duplicated, moved or replaced. */
function mutated(text: string, random: Random): string {
  let result = text;
  for (let left = 1 + Math.floor(random() * 4); left > 0; left--) {
    const at = Math.floor(random() * (result.length + 1));
    const to = Math.min(result.length, at + Math.floor(random() * 30));
    const change = random();
    if (change < 0.3) result = result.slice(0, at) + result.slice(to);
    else if (change < 0.6) result = result.slice(0, at) + oneOf(random, PIECES) + result.slice(at);
    else if (change < 0.8) result = result.slice(0, to) + result.slice(at);
    else result = result.slice(0, at) + oneOf(random, PIECES) + result.slice(to);
  }
  return result;
}

const METHODS = ["POST", "POST", "POST", "POST", "GET", "PUT", "OPTIONS", "HEAD", "DELETE"];
const TYPES = [
  "application/json",
  "application/json; charset=utf-8",
  "text/plain",
  "application/graphql",
  "application/json;",
  "\u00e9",
];
const ACCEPTS = ["*/*", "application/json", "application/graphql-response+json", "text/html", "multipart/mixed", ";;q=", ""];
const PATHS = [
  "/graphql",
  "/graphql",
  "/graphql",
  "/graphql/stream",
  "/graphql?query=%7B",
  "/graphql?variables=[",
  "/graphql?extensions=%7B%22persistedQuery%22:1%7D",
  "/graphiql",
  "/%",
];

/** Sends a malformed request; resolves to the status, or `undefined` if the connection was closed. */
const send = (url: string, seed: number): Promise<number | undefined> => {
  const random = seeded(seed);
  const body = mutated(JSON.stringify({ ...randomOperation(seed), operationName: null, extensions: {} }), random);
  const method = oneOf(random, METHODS);
  const headers = {
    "content-type": oneOf(random, TYPES),
    accept: oneOf(random, ACCEPTS),
    "x-exchange-trace": oneOf(random, ["0", "1"]),
  };
  return new Promise((resolve) => {
    const request = httpRequest(`${url}${oneOf(random, PATHS)}`, { method, headers }, (response) => {
      response.resume();
      // An open event stream does not end, so its end is not awaited.
      if (response.headers["content-type"]?.includes("event-stream") === true) request.destroy();
      response.once("close", () => resolve(response.statusCode));
    });
    request.once("error", () => resolve(undefined));
    request.end(method === "GET" || method === "HEAD" ? undefined : body);
  });
};

/** Sends malformed messages over a socket; resolves to how it was closed, if it was. */
const talk = (url: string, seed: number, messages: number): Promise<number | undefined> => {
  const random = seeded(seed);
  return new Promise((resolve) => {
    const socket = new WebSocket(`${url.replace("http", "ws")}/graphql`, "graphql-transport-ws");
    let closedWith: number | undefined;
    socket.once("error", () => undefined);
    socket.once("close", (code) => {
      closedWith = code;
      resolve(closedWith);
    });
    socket.once("open", () => {
      if (random() < 0.9) socket.send('{"type":"connection_init"}');
      for (let at = 0; at < messages; at++) {
        const operation = randomOperation(seed * 31 + at);
        const type = oneOf(random, [
          "subscribe",
          "subscribe",
          "subscribe",
          "complete",
          "ping",
          "pong",
          "next",
          "connection_init",
        ]);
        const message = JSON.stringify({ id: String(at % 3), type, payload: operation });
        socket.send(random() < 0.3 ? message : mutated(message, random));
      }
      // A WebSocket ping: once it is answered, all earlier messages have been read.
      socket.ping();
    });
    socket.once("pong", () => socket.close());
  });
};

/** Runs all seeds, several concurrently. */
async function each(count: number, task: (seed: number) => Promise<void>): Promise<void> {
  let next = 1;
  const worker = async () => {
    while (next <= count) await task(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

describe("hostile input", () => {
  let gateway: GraphGateway;
  const failures: unknown[] = [];
  const fail = (error: unknown) => failures.push(error);
  beforeAll(async () => {
    process.on("unhandledRejection", fail);
    gateway = await graphGateway({ deadlineMs: 50 });
  });
  afterAll(async () => {
    process.off("unhandledRejection", fail);
    await gateway.close();
  });

  const codesOf = async (response: Response): Promise<readonly unknown[]> => {
    const { errors = [] } = (await response.json()) as { errors?: { extensions: { code: string } }[] };
    return errors.map(({ extensions }) => extensions.code);
  };

  /** Expects that no internal error occurred and that the gateway still answers. */
  const expectWell = async () => {
    expect(failures).toEqual([]);
    expect(await (await post(gateway.url, { query: "{ __typename }" })).json()).toEqual({ data: { __typename: "Query" } });
  };

  const memoryAfter = async (): Promise<number> => {
    for (let round = 0; round < 3; round++) {
      collectGarbage();
      await new Promise((resolve) => setImmediate(resolve));
    }
    return process.memoryUsage().heapUsed / MB;
  };

  /** Both halves of a run; the memory that a long one leaves is compared. */
  const flat = async (rounds: (from: number) => Promise<void>) => {
    await rounds(0);
    const before = IS_FULL ? await memoryAfter() : 0;
    await rounds(1);
    if (!IS_FULL) return;
    const after = await memoryAfter();
    process.stdout.write(`heap after ${COUNT / 2}: ${before.toFixed(1)} MB, after ${COUNT}: ${after.toFixed(1)} MB\n`);
    expect(after - before).toBeLessThan(50);
  };

  it(`${COUNT} random documents: no 5xx, nothing unforeseen`, async () => {
    const half = Math.ceil(COUNT / 2);
    await flat((round) =>
      each(half, async (seed) => {
        const response = await gateway.while(post(gateway.url, randomOperation(round * half + seed)));
        expect(response.status, String(seed)).toBeLessThan(500);
        expect(await codesOf(response), String(round * half + seed)).not.toContain("INTERNAL_SERVER_ERROR");
        gateway.upstream.calls.length = 0;
      }),
    );
    await expectWell();
  }, 900_000);

  it(`${COUNT} mutated HTTP requests: no 5xx`, async () => {
    const half = Math.ceil(COUNT / 2);
    await flat((round) =>
      each(half, async (seed) => {
        const status = await gateway.while(send(gateway.url, round * half + seed));
        if (status !== undefined) expect(status, String(round * half + seed)).toBeLessThan(500);
        gateway.upstream.calls.length = 0;
      }),
    );
    await expectWell();
  }, 900_000);

  it(`${COUNT} mutated WebSocket messages: no socket ends for a fault of ours`, async () => {
    const PER_SOCKET = 10;
    const half = Math.ceil(COUNT / PER_SOCKET / 2);
    await flat((round) =>
      each(half, async (seed) => {
        const code = await gateway.while(talk(gateway.url, round * half + seed, PER_SOCKET));
        expect(code, String(round * half + seed)).not.toBe(4500);
        gateway.upstream.calls.length = 0;
      }),
    );
    await expectWell();
  }, 900_000);
});
