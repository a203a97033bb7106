import { signature } from "@exchange-graph/contract/signing";
import { SANDBOX_CREDENTIALS } from "@exchange-graph/sandbox/credentials";
import autocannon from "autocannon";
import { request } from "undici";
import type { Child } from "../child.js";
import { table } from "../table.js";

/**
 * Signed reads over HTTP: the calls of a dashboard on a unified account, in equal numbers. All are of one account; the sandbox
 * calculates its figures once per market tick (200 ms) and change of the account.
 */

const TARGETS = [
  "/api/v3/account/assets",
  "/api/v3/account/settings",
  "/api/v3/position/current-position?category=USDT-FUTURES",
  "/api/v3/trade/unfilled-orders",
  "/api/v3/trade/history-orders?category=USDT-FUTURES&limit=20",
] as const;
const PROMISED_PER_SECOND = 2_000;
const CONNECTIONS = 16;
const WARM_UP_SECONDS = 2;
const SECONDS = 5;

export async function compareCalls(sandbox: Child, bare: Child): Promise<string> {
  await check(sandbox.url);
  const rows = [
    await measured("minimal server, maximum rate", bare),
    await measured("sandbox, maximum rate", sandbox),
    await measured(`sandbox, ${PROMISED_PER_SECOND} per second`, sandbox, PROMISED_PER_SECOND),
  ];
  return table(["signed reads", "calls/s", "p50 ms", "p99 ms", "CPU µs/call"], rows);
}

/** Checks that the calls succeed: a server that refuses them would have excellent figures. */
async function check(url: string): Promise<void> {
  for (const target of TARGETS) {
    const { body } = await request(`${url}${target}`, { headers: signedHeaders(target) });
    const text = await body.text();
    if (!text.startsWith('{"code":"00000"')) throw new Error(`${target} is refused: ${text.slice(0, 200)}`);
  }
}

async function measured(name: string, server: Child, perSecond?: number): Promise<readonly string[]> {
  await load(server.url, WARM_UP_SECONDS, perSecond);
  await server.usage();
  const { requests, latency, non2xx, errors } = await load(server.url, SECONDS, perSecond);
  const { cpuMs } = await server.usage();
  if (non2xx + errors > 0) throw new Error(`${name} failed ${non2xx + errors} requests`);
  return [
    name,
    (requests.total / SECONDS).toFixed(0),
    latency.p50.toFixed(0),
    latency.p99.toFixed(0),
    ((cpuMs * 1_000) / requests.total).toFixed(0),
  ];
}

let turn = 0;
const load = (url: string, duration: number, perSecond?: number) =>
  autocannon({
    url,
    connections: CONNECTIONS,
    duration,
    ...(perSecond === undefined ? {} : { overallRate: perSecond }),
    requests: [
      {
        method: "GET",
        setupRequest(request) {
          const path = TARGETS[turn++ % TARGETS.length] ?? TARGETS[0];
          return { ...request, path, headers: signedHeaders(path) };
        },
      },
    ],
  });

const [{ key, secret, passphrase }] = SANDBOX_CREDENTIALS as readonly [(typeof SANDBOX_CREDENTIALS)[number]];

function signedHeaders(target: string): Record<string, string> {
  const timestamp = String(Date.now());
  return {
    "access-key": key,
    "access-passphrase": passphrase,
    "access-timestamp": timestamp,
    "access-sign": signature(secret, { timestamp, method: "GET", target }),
  };
}
