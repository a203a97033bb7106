import { request as overHttp } from "node:http";
import { request as overTls } from "node:https";
import { parseArgs } from "node:util";
import { systemClock } from "@exchange-graph/contract/clock";
import type { Environment } from "../config/environment.js";
import { variables } from "../config/variables.js";
import { runCommand } from "./runCommand.js";

const USAGE = "npm run healthcheck [-- --ready]";
const TIMEOUT_MS = 5_000;

/** The settings that determine the address of the health checks. */
const place = variables.pick({
  ...{ HOST: true, PORT: true, METRICS_HOST: true, METRICS_PORT: true },
  ...{ TLS_CERT_FILE: true, TLS_CLIENT_CA_FILE: true },
});

/** Address of the health checks. Throws if the settings do not determine it. */
function addressOf(environment: Environment["variables"]): URL {
  const nonEmpty = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ""));
  const { data, error } = place.safeParse(nonEmpty);
  if (error) throw new Error(error.issues.map(({ path, message }) => `${path.join("..")}: ${message}`).join("\n"));
  const { HOST, PORT, METRICS_HOST, METRICS_PORT, TLS_CERT_FILE, TLS_CLIENT_CA_FILE } = data;
  if (METRICS_PORT === undefined && TLS_CLIENT_CA_FILE !== undefined)
    throw new Error("TLS_CLIENT_CA_FILE requires a client certificate: set METRICS_PORT for health checks");
  const isApart = METRICS_PORT !== undefined;
  const [host, port] = isApart ? [METRICS_HOST, METRICS_PORT] : [HOST, PORT];
  if (port === 0) throw new Error(`${isApart ? "METRICS_PORT" : "PORT"} is 0: the port is not known`);
  const reached = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  const scheme = !isApart && TLS_CERT_FILE !== undefined ? "https" : "http";
  return new URL(`${scheme}://${reached.includes(":") ? `[${reached}]` : reached}:${port}`);
}

/** Status and body of the answer. The certificate is not verified: it is for the host names of clients. */
function ask(url: URL): Promise<{ readonly status: number | undefined; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const options = { headers: { host: "localhost" }, rejectUnauthorized: false, agent: false };
    const request = url.protocol === "https:" ? overTls(url, options) : overHttp(url, options);
    const late = new Error(`no answer within ${TIMEOUT_MS} ms`);
    const cancel = systemClock.after(TIMEOUT_MS, () => request.destroy(late));
    request
      .on("close", cancel)
      .on("error", reject)
      .on("response", (response) => {
        let body = "";
        response.setEncoding("utf8").on("data", (text: string) => {
          body += text;
        });
        response.on("error", reject).on("end", () => resolve({ status: response.statusCode, body }));
      });
    request.end();
  });
}

/**
 * `npm run healthcheck`: requests `/healthz`, or with `--ready` `/readyz`, of the gateway with this environment. Exit code 0:
 * status 200; 1: another status or no answer. For containers without another HTTP client.
 */
async function main(variables: Environment["variables"]): Promise<void> {
  const { values } = parseArgs({ options: { ready: { type: "boolean", default: false } } });
  const url = addressOf(variables);
  const { status, body } = await ask(new URL(values.ready ? "/readyz" : "/healthz", url));
  process.stdout.write(`${body}\n`);
  process.exitCode = status === 200 ? 0 : 1;
}

runCommand(main, 1, (error) => ("code" in error && error.code === "ERR_PARSE_ARGS_UNKNOWN_OPTION" ? `${USAGE}\n` : ""));
