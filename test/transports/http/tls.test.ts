import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect as connectPlain } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ConnectionOptions, connect, type SecureContextOptions } from "node:tls";
import { ManualClock } from "@exchange-graph/contract/clock";
import { Agent, request } from "undici";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { readConfig } from "../../../src/config/config.js";
import { tlsSource } from "../../../src/config/tls.js";
import { WatchedFiles } from "../../../src/files/watchedFiles.js";
import { listen } from "../../../src/instrumentation/instrumentation.js";
import { canSign, type SelfSigned, selfSigned } from "../../support/certificates.js";
import { eventually } from "../../support/eventually.js";
import { type TinyGateway, tinyGateway } from "../../support/gateway/tinyGateway.js";
import { ownInstrumentation } from "../../support/searchedTelemetry.js";

const folder = mkdtempSync(join(tmpdir(), "tls-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe.skipIf(!canSign)("TLS without a proxy", () => {
  let first: SelfSigned;
  let second: SelfSigned;
  let client: SelfSigned;
  beforeAll(() => {
    [first, second, client] = [selfSigned(folder, "first"), selfSigned(folder, "second"), selfSigned(folder, "client")];
  });

  const ask = async (url: string, connection: SecureContextOptions, path = "/graphql", accept = "application/json") => {
    const agent = new Agent({ connect: connection });
    const { statusCode, body } = await request(`${url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", accept },
      body: JSON.stringify({ query: "{ hello }" }),
      dispatcher: agent,
    });
    const answer = [statusCode, await body.text()];
    await agent.close();
    return answer;
  };
  const HELLO = [200, '{"data":{"hello":"hello you"}}'];

  /** The certificate's name that a new connection receives. */
  const shown = async (url: string, options: ConnectionOptions = {}): Promise<string> => {
    const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1", rejectUnauthorized: false, ...options });
    await once(socket, "secureConnect");
    const { CN } = socket.getPeerCertificate().subject;
    socket.destroy();
    return String(CN);
  };

  describe("of a server", () => {
    let tiny: TinyGateway;
    beforeEach(async () => {
      tiny = await tinyGateway({ tls: { cert: first.cert, key: first.key, clientCa: undefined } });
    });
    afterEach(() => tiny.gateway.stop());

    it("carries queries, event streams and WebSockets", async () => {
      expect(tiny.url).toMatch(/^https:/);
      const trusting = { ca: first.cert };
      expect(await ask(tiny.url, trusting)).toEqual(HELLO);
      const [status, events] = await ask(tiny.url, trusting, "/graphql/stream", "text/event-stream");
      expect([status, events]).toEqual([200, expect.stringContaining('data: {"data":{"hello":"hello you"}}')]);
      const socket = new WebSocket(`${tiny.url.replace("https", "wss")}/graphql`, "graphql-transport-ws", trusting);
      await once(socket, "open");
      socket.send('{"type":"connection_init"}');
      expect(String((await once(socket, "message"))[0])).toContain("connection_ack");
      socket.close();
    });

    it("is refused by clients that do not trust it, and accepts nothing older than TLS 1.2", async () => {
      await expect(ask(tiny.url, {})).rejects.toMatchObject({ code: "DEPTH_ZERO_SELF_SIGNED_CERT" });
      await expect(shown(tiny.url, { minVersion: "TLSv1.1", maxVersion: "TLSv1.1" })).rejects.toThrow();
      await expect(shown(tiny.url, { maxVersion: "TLSv1.2", ciphers: "AES128-SHA" })).rejects.toThrow();
      expect(await shown(tiny.url, { maxVersion: "TLSv1.2" })).toBe("first");
    });

    it("closes connections that do not speak TLS, and keeps serving", async () => {
      const socket = connectPlain(Number(new URL(tiny.url).port), "127.0.0.1");
      socket.on("error", () => undefined);
      socket.write("GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n");
      await once(socket, "close");
      expect((await ask(tiny.url, { ca: first.cert }))[0]).toBe(200);
    });

    it("serves a new certificate from the next connection on, and drops no open connection", async () => {
      const socket = new WebSocket(`${tiny.url.replace("https", "wss")}/graphql`, "graphql-transport-ws", { ca: first.cert });
      await once(socket, "open");
      tiny.gateway.renewTls({ cert: second.cert, key: second.key, clientCa: undefined });
      expect(await shown(tiny.url)).toBe("second");
      expect((await ask(tiny.url, { ca: second.cert }))[0]).toBe(200);
      socket.send('{"type":"connection_init"}');
      expect(String((await once(socket, "message"))[0])).toContain("connection_ack");
      socket.close();
    });

    it("does not wait for handshakes and idle connections when the gateway stops", async () => {
      // The clock stands still: no deadline closes the connections.
      const tiny = await tinyGateway({
        tls: { cert: first.cert, key: first.key, clientCa: undefined },
        clock: new ManualClock(0),
      });
      const idle = connectPlain(Number(new URL(tiny.url).port), "127.0.0.1");
      await once(idle, "connect");
      const agreed = connect({ port: Number(new URL(tiny.url).port), host: "127.0.0.1", ca: first.cert });
      await once(agreed, "secureConnect");
      const ended: string[] = [];
      idle.once("close", () => ended.push("handshake"));
      agreed.once("close", () => ended.push("idle connection"));
      tiny.gateway.stop().then(
        () => ended.push("gateway"),
        (error: unknown) => ended.push(String(error)),
      );
      await eventually(() => ended.length === 3);
      expect(ended.sort()).toEqual(["gateway", "handshake", "idle connection"]);
    });
  });

  it("allows no more time for the handshake than for headers", async () => {
    const tiny = await tinyGateway({
      tls: { cert: first.cert, key: first.key, clientCa: undefined },
      limits: { connection: { headersMs: 100 } },
    });
    const idle = connectPlain(Number(new URL(tiny.url).port), "127.0.0.1");
    idle.on("error", () => undefined);
    await once(idle, "close");
    await tiny.gateway.stop();
  });

  it("lets only clients of an authority in if configured so", async () => {
    const tiny = await tinyGateway({ tls: { cert: first.cert, key: first.key, clientCa: client.cert } });
    const trusting = { ca: first.cert };
    expect((await ask(tiny.url, { ...trusting, cert: client.cert, key: client.key }))[0]).toBe(200);
    await expect(ask(tiny.url, trusting)).rejects.toThrow();
    await expect(ask(tiny.url, { ...trusting, cert: second.cert, key: second.key })).rejects.toThrow();
    tiny.gateway.renewTls({ cert: first.cert, key: first.key, clientCa: second.cert });
    expect((await ask(tiny.url, { ...trusting, cert: second.cert, key: second.key }))[0]).toBe(200);
    await expect(ask(tiny.url, { ...trusting, cert: client.cert, key: client.key })).rejects.toThrow();
    await tiny.gateway.stop();
  });

  describe("from files", () => {
    const file = (name: string, content: string): string => {
      const path = join(folder, name);
      writeFileSync(path, content, { mode: 0o600 });
      return path;
    };
    const mistakes = (TLS_CERT_FILE: string, TLS_KEY_FILE: string, more = {}): unknown => {
      const read = tlsSource({ TLS_CERT_FILE, TLS_KEY_FILE, ...more })?.read();
      return read && "mistakes" in read ? read.mistakes : [];
    };

    it("is read at the start, whole or not at all", () => {
      const env = { TLS_CERT_FILE: first.certPath, TLS_KEY_FILE: first.keyPath };
      expect(readConfig(env).tls?.material).toEqual({ cert: first.cert, key: first.key, clientCa: undefined });
      expect(mistakes(first.certPath, second.keyPath)).toEqual([
        "TLS_KEY_FILE: is not the key of the certificate in TLS_CERT_FILE",
      ]);
      expect(mistakes(file("half.crt", first.cert.slice(0, 200)), join(folder, "nowhere"))).toEqual([
        "TLS_CERT_FILE: is not in PEM",
        "TLS_KEY_FILE: cannot be read: ENOENT",
      ]);
      expect(mistakes(first.certPath, file("half.key", first.key.slice(0, 60)))).toEqual(["TLS_KEY_FILE: is not in PEM"]);
      expect(mistakes(first.certPath, first.keyPath, { TLS_CLIENT_CA_FILE: file("not.ca", "x") })).toEqual([
        "TLS_CLIENT_CA_FILE: is not in PEM",
      ]);
      expect(() => readConfig({ TLS_CERT_FILE: first.certPath })).toThrow(
        "TLS_KEY_FILE: is required together with TLS_CERT_FILE",
      );
      expect(() => readConfig({ TLS_KEY_FILE: first.keyPath })).toThrow("TLS_CERT_FILE: is required together with TLS_KEY_FILE");
      expect(() => readConfig({ TLS_CLIENT_CA_FILE: client.certPath })).toThrow("TLS_CLIENT_CA_FILE: cannot be used without");
    });

    it("is taken into use once both files have been replaced, and is reported if one of them does not follow", async () => {
      const clock = new ManualClock(0);
      const instrumentation = ownInstrumentation();
      const reports: unknown[] = [];
      listen(instrumentation, instrumentation.fileChange, ({ mistakes }) => reports.push(mistakes));
      const files = new WatchedFiles(clock, instrumentation);
      const TLS_CERT_FILE = file("renewed.crt", first.cert);
      const TLS_KEY_FILE = file("renewed.key", first.key);
      const source = tlsSource({ TLS_CERT_FILE, TLS_KEY_FILE, TLS_CLIENT_CA_FILE: client.certPath });
      if (source === undefined) throw new Error("there is no TLS");
      const used: string[] = [];
      files.watch({ ...source, changed: ({ cert }) => used.push(cert) });
      await files.look();
      const replace = async (name: string, content: string): Promise<void> => {
        file(name, content);
        await files.look();
      };
      await replace("renewed.crt", second.cert);
      clock.advance(20_000);
      await files.look();
      await replace("renewed.key", second.key);
      expect(used).toEqual([first.cert, second.cert]);
      expect(reports).toEqual([undefined]);
      await replace("renewed.crt", first.cert);
      clock.advance(30_000);
      await files.look();
      expect(reports.slice(1)).toEqual([["TLS_KEY_FILE: is not the key of the certificate in TLS_CERT_FILE"]]);
      await replace("renewed.key", first.key);
      expect(used).toEqual([first.cert, second.cert, first.cert]);
      files.close();
    });

    it("whose key others may read is refused", () => {
      const key = file("open.key", first.key);
      chmodSync(key, 0o644);
      expect(mistakes(first.certPath, key)).toEqual([expect.stringContaining("TLS_KEY_FILE: is open to other users (mode 644)")]);
    });

    it("does not replace clients: listening on other addresses still requires them", () => {
      const env = { TLS_CERT_FILE: first.certPath, TLS_KEY_FILE: first.keyPath, TLS_CLIENT_CA_FILE: client.certPath };
      expect(() => readConfig({ ...env, HOST: "0.0.0.0" })).toThrow("HOST: must be 127.0.0.1");
    });
  });
});
