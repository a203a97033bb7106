import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { servingProduct } from "../e2e/product.js";
import { canSign, selfSigned } from "../support/certificates.js";
import { freePort } from "../support/freePort.js";

const folder = mkdtempSync(join(tmpdir(), "healthcheck-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Result of the command with these settings, in a folder without a `.env`. */
const healthcheck = (settings: Readonly<Record<string, string>>, ...words: readonly string[]) =>
  new Promise<{ readonly status: number; readonly stdout: string; readonly stderr: string }>((ended) => {
    const command = [resolve("bundle/healthcheck.js"), ...words];
    const child = execFile(process.execPath, command, { cwd: folder, env: settings }, (_, stdout, stderr) =>
      ended({ status: child.exitCode ?? -1, stdout, stderr }),
    );
  });

const GOOD = { status: 0, stdout: '{"status":"ok"}\n', stderr: "" };

describe("npm run healthcheck", () => {
  it("checks the gateway with the same settings, over TLS or on the metrics port", async ({ skip }) => {
    if (!canSign) skip("openssl not found. On Debian: apt-get install openssl");
    const { certPath, keyPath } = selfSigned(folder, "gateway");
    const tls = { PORT: String(await freePort()), TLS_CERT_FILE: certPath, TLS_KEY_FILE: keyPath };
    const apart = { ...tls, METRICS_PORT: String(await freePort()) };
    const product = await servingProduct(apart);
    expect(await healthcheck(apart)).toEqual(GOOD);
    expect(await healthcheck({ METRICS_PORT: apart.METRICS_PORT })).toEqual(GOOD);
    expect(await healthcheck(tls)).toEqual(GOOD);
    expect(await healthcheck({ ...tls, HOST: "0.0.0.0" })).toEqual(GOOD);
    expect(await healthcheck(apart, "--ready")).toEqual({ ...GOOD, stdout: '{"status":"ready"}\n' });
    await product.stop();
  });

  it("requests /healthz as localhost, or /readyz with --ready, and fails unless the status is 200", async () => {
    const asked: unknown[] = [];
    const answer: RequestListener = ({ url, headers: { host } }, response) => {
      asked.push({ url, host });
      response.writeHead(url === "/healthz" ? 200 : 503).end(`{"at":"${url}"}`);
    };
    const server = createServer(answer).listen(0, "127.0.0.1");
    await once(server, "listening");
    const PORT = String((server.address() as AddressInfo).port);
    expect(await healthcheck({ PORT })).toEqual({ status: 0, stdout: '{"at":"/healthz"}\n', stderr: "" });
    expect(await healthcheck({ PORT }, "--ready")).toEqual({ status: 1, stdout: '{"at":"/readyz"}\n', stderr: "" });
    expect(asked).toEqual(["/healthz", "/readyz"].map((url) => ({ url, host: "localhost" })));
    server.close();
    await once(server, "close");
    expect(await healthcheck({ PORT })).toEqual({ status: 1, stdout: "", stderr: `connect ECONNREFUSED 127.0.0.1:${PORT}\n` });
  });

  it.each([
    [{ PORT: "0" }, "PORT is 0: the port is not known\n"],
    [{ PORT: "x" }, "PORT: must be a whole number from 0 to 65535\n"],
    [
      { TLS_CERT_FILE: "a", TLS_CLIENT_CA_FILE: "b" },
      "TLS_CLIENT_CA_FILE requires a client certificate: set METRICS_PORT for health checks\n",
    ],
  ])("says why it cannot ask with %o", async (given, stderr) => {
    expect(await healthcheck(given)).toEqual({ status: 1, stdout: "", stderr });
  });
});
