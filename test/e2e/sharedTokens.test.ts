import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import { afterAll, beforeAll, expect, it } from "vitest";
import WebSocket from "ws";
import { AUDIENCE, ISSUER, signedWith } from "../access/support/jwtIssuer.js";
import { leaks } from "../support/leaks.js";
import { describeUnless } from "../support/missing.js";
import { noRedis, type RedisServer, redisServer } from "../support/redisServer.js";
import { type TcpProxy, tcpProxy } from "../support/tcpProxy.js";
import { MAIN_KEYS, type Product, servingProduct } from "./product.js";

const SECRET = "a secret of more than thirty-two bytes";
/** A message about tokens as pushed by Redis. */
const NOTICE = />3\r\n\$7\r\nmessage\r\n\$\d+\r\n[^\r]*\r\n\$\d+\r\ntokens [^\r]*\r\n/g;

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "tokens-"));
const [HERE, THERE] = [join(folder, "here.json"), join(folder, "there.json")];
const command = async (...args: string[]): Promise<string> =>
  (await run(process.execPath, [resolve("bundle/token.js"), ...args, "--file", HERE])).stdout.trim();

describeUnless(noRedis, "two gateways that share a Redis", () => {
  let sandbox: Sandbox;
  let redis: RedisServer;
  let proxy: TcpProxy;
  let products: readonly [Product, Product];
  beforeAll(async () => {
    [sandbox, redis] = await Promise.all([startSandbox({ hasPast: false }), redisServer({ realm: "live" })]);
    proxy = await tcpProxy(redis.url.replace("redis:", "tcp:"));
    for (const path of [HERE, THERE]) writeFileSync(path, JSON.stringify({ tokens: [] }), { mode: 0o600 });
    const settings = {
      EXCHANGE_BASE_URL: sandbox.url,
      ...MAIN_KEYS,
      JWT_SECRET: SECRET,
      JWT_ISSUER: ISSUER,
      JWT_AUDIENCE: AUDIENCE,
    };
    products = await Promise.all([
      servingProduct({ ...settings, REDIS_URL: redis.url, CLIENTS_FILE: HERE }),
      servingProduct({ ...settings, REDIS_URL: `redis://${proxy.host}`, CLIENTS_FILE: THERE }),
    ]);
  });
  afterAll(async () => {
    await Promise.all(products.map((product) => product.stop()));
    await proxy.close();
    await redis.close();
    await sandbox.close();
  });

  /** Opens a socket; resolves once its client is authenticated. */
  async function socketOf({ url }: Product, token: string): Promise<{ readonly closed: Promise<number> }> {
    const socket = new WebSocket(`${url.replace("http", "ws")}/graphql`, "graphql-transport-ws");
    await once(socket, "open");
    socket.send(JSON.stringify({ type: "connection_init", payload: { token } }));
    const [message] = await once(socket, "message");
    expect(JSON.parse(String(message))).toMatchObject({ type: "connection_ack" });
    return { closed: once(socket, "close").then(([code]) => code) };
  }
  const statusAt = async ({ url }: Product, token: string): Promise<number> =>
    (await fetch(`${url}/graphql?query=%7B__typename%7D`, { headers: { authorization: `Bearer ${token}` } })).status;

  it("refuse a token that was revoked at one of them, and close its sockets, even if the message is lost", async () => {
    const [here, there] = products;
    const jwt = (claims: Record<string, string>) => signedWith(SECRET, claims, Date.now());
    const [one, ofThief, other] = await Promise.all([jwt({ jti: "one" }), jwt({ sub: "thief" }), jwt({ jti: "other" })]);
    const token = await command("create", "desk", "--scope", "read:market");
    for (const secret of [one, ofThief, other, token]) leaks.know(secret, "a token");
    // The other gateway has a separate file, which still contains the token.
    writeFileSync(THERE, readFileSync(HERE));
    await expect.poll(() => Promise.all(products.map((product) => statusAt(product, token)))).toEqual([200, 200]);

    proxy.lose(NOTICE);
    const revoked = [one, ofThief, token];
    const sockets = await Promise.all(revoked.map((text) => Promise.all(products.map((product) => socketOf(product, text)))));
    const stays = await socketOf(there, other);
    await command("revoke", "--jti", "one", "--expires", "1h");
    await command("revoke", "--subject", "thief", "--expires", "1h");
    await command("revoke", "desk");
    // How soon is asserted in `redisShared.test.ts`.
    expect(await Promise.all(sockets.flat().map(({ closed }) => closed))).toEqual(sockets.flat().map(() => 4401));
    expect(proxy.lost.join()).toContain("denied id:");
    for (const text of revoked)
      expect(await Promise.all([here, there].map((product) => statusAt(product, text)))).toEqual([401, 401]);
    expect(await Promise.race([stays.closed, statusAt(there, other)])).toBe(200);
  });
});
