import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { join, resolve } from "node:path";
import { vi } from "vitest";
import { eventually } from "../support/eventually.js";
import { freePort } from "../support/freePort.js";
import { killedAtExit } from "../support/killedAtExit.js";

const CADDYFILE = "deploy/proxy/Caddyfile";

/** The shipped proxy in front of gateways. */
export interface Proxy {
  readonly url: string;
  /** The certificate of its authority. */
  readonly ca: string;
  /** Sends a request over TLS, trusting only the proxy's certificate authority. */
  send(to: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

/** Starts Caddy with the shipped configuration and its state in `folder`; resolves once it answers. */
export async function startProxy(ports: readonly string[], folder: string): Promise<Proxy> {
  const url = `https://localhost:${await freePort()}`;
  const child = spawn("caddy", ["run", "--config", resolve(CADDYFILE), "--adapter", "caddyfile"], {
    env: {
      GATEWAY_SITE: url,
      GATEWAYS: ports.map((port) => `127.0.0.1:${port}`).join(" "),
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
      HOME: folder,
    },
    stdio: "ignore",
  });
  child.once(
    "close",
    killedAtExit(() => child.kill("SIGKILL")),
  );
  const root = join(folder, "caddy/pki/authorities/local/root.crt");
  // The file exists before it is completely written.
  const isWhole = () => existsSync(root) && readFileSync(root, "utf8").includes("-----END CERTIFICATE-----");
  await eventually(isWhole, 30_000);
  const ca = readFileSync(root, "utf8");
  const agent = new Agent({ ca, keepAlive: true });
  const send: Proxy["send"] = (to, { method = "GET", headers = {}, body } = {}) =>
    new Promise((answered, failed) => {
      const asked = request(to, { agent, method, headers: headers as Record<string, string> }, (response) => {
        const chunks: Buffer[] = [];
        response.on("error", failed).on("data", (chunk: Buffer) => {
          chunks.push(chunk);
          // An event stream does not end, so only its first event is awaited.
          if (String(response.headers["content-type"]).startsWith("text/event-stream") && String(chunk).includes("event: next"))
            response.destroy();
        });
        response.on("close", () =>
          answered(
            new Response(Buffer.concat(chunks), {
              status: response.statusCode ?? 0,
              headers: response.headers as Record<string, string>,
            }),
          ),
        );
      });
      asked.on("error", failed).end(body);
    });
  await vi.waitFor(() => send(`${url}/healthz`), { timeout: 30_000 });
  return {
    url,
    ca,
    send,
    async close() {
      const ended = once(child, "exit");
      child.kill();
      await ended;
      agent.destroy();
    },
  };
}
