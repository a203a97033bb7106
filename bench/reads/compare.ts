import { request } from "undici";
import { Child } from "../child.js";
import { estimated, seeded, thereAndBack, trimmedMean } from "../paired.js";
import { table } from "../table.js";
import { type Body, cachedBody, listBody, upstreamBody } from "./documents.js";
import { load } from "./load.js";
import { SERVER_NAMES, SERVERS, type ServerName } from "./servers.js";

/** Compares servers in one run: all answer the same documents over the same upstream, in turns, since the machine's speed drifts. */

/** Warm-up before the first round, in which V8 compiles the code: that of the gateway for ten seconds. And requests before each turn. */
const WARM_UP_SECONDS = 12;
const WARM_UP_REQUESTS = 64;
const SECONDS = 1;
/** A round has two turns of each server: in a random order, then in the reverse order. */
const ROUNDS = 3;

interface Load {
  /** The request bodies by turn. */
  readonly body: Body;
  readonly servers: readonly ServerName[];
}

/** Long lists are compared with the fastest peer only, so that the run takes minutes. */
const COMPARED_ON_LISTS: readonly ServerName[] = ["proxy", "gateway", "mercurius"];

const LOADS: Readonly<Record<string, Load>> = {
  "distinct operations, data cached": { body: cachedBody, servers: SERVER_NAMES },
  "distinct operations, one upstream call each": { body: upstreamBody, servers: SERVER_NAMES },
  "equal operations, data cached": { body: () => cachedBody(0), servers: SERVER_NAMES },
  "equal operations, data upstream": { body: () => upstreamBody(0), servers: SERVER_NAMES },
  "lists of 100 rows, one upstream call each": { body: (turn) => listBody(turn, 100), servers: COMPARED_ON_LISTS },
  "lists of 1,000 rows, one upstream call each": { body: (turn) => listBody(turn, 1_000), servers: COMPARED_ON_LISTS },
};

interface Measured {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly cpuMicros: number;
  readonly rssMb: number;
  readonly upstreamPerThousand: number;
}

export async function* compareReads(): AsyncGenerator<string> {
  const upstream = await Child.start("./reads/upstream.js");
  const servers = await Promise.all(
    SERVER_NAMES.map(async (name) => [name, await Child.start(SERVERS[name].module, upstream.url)] as const),
  );
  for (const [name, server] of servers) if (name !== "proxy") await check(SERVERS[name].name, server.url);
  const random = seeded("reads");
  for (const [title, { body, servers: names }] of Object.entries(LOADS)) {
    yield `## ${title}`;
    const compared = servers.filter(([name]) => names.includes(name));
    for (const [, server] of compared) await load(server.url, body, { duration: WARM_UP_SECONDS });
    const turns = new Map<ServerName, Measured[]>(names.map((name) => [name, []]));
    for (let round = 0; round < ROUNDS; round++)
      for (const [name, server] of thereAndBack(compared, random)) turns.get(name)?.push(await measure(server, upstream, body));
    yield ratios(turns);
  }
  await Promise.all([upstream, ...servers.map(([, server]) => server)].map((child) => child.stop()));
}

/** Checks that a server answers the documents completely. A server that answers with errors would have excellent figures. */
async function check(name: string, url: string): Promise<void> {
  for (const body of [cachedBody(1), upstreamBody(1)]) {
    const answer = await request(url, { method: "POST", headers: { "content-type": "application/json" }, body });
    const text = await answer.body.text();
    const rows = text.match(/"(?:symbol|orderId)":/g)?.length;
    if (text.includes('"errors"') || rows !== 20)
      throw new Error(`${name} does not answer the documents correctly: ${text.slice(0, 300)}`);
  }
}

async function measure(server: Child, upstream: Child, body: Body): Promise<Measured> {
  await load(server.url, body, { amount: WARM_UP_REQUESTS });
  await Promise.all([server.usage(), upstream.usage()]);
  const result = await load(server.url, body, { duration: SECONDS });
  const [used, asked] = await Promise.all([server.usage(), upstream.usage()]);
  const requests = result.requests.total;
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${server.url} failed ${result.non2xx + result.errors} requests`);
  return {
    perSecond: requests / SECONDS,
    p50: result.latency.p50,
    p99: result.latency.p99,
    cpuMicros: (used.cpuMs * 1000) / requests,
    rssMb: used.rssMb,
    upstreamPerThousand: (asked.calls * 1000) / requests,
  };
}

/** Requests per second as a multiple of the proxy's in adjacent turns: the mean without the extremes, with its interval. */
function ratioTo(proxy: readonly Measured[], turns: readonly Measured[]): string {
  const each = turns.map(({ perSecond }, at) => perSecond / (proxy[at]?.perSecond ?? Number.NaN));
  const { figure, low, high } = estimated(each, (drawn) => trimmedMean(drawn, 1 / (2 * ROUNDS)), seeded("ratio"));
  return `${figure.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`;
}

function ratios(turns: ReadonlyMap<ServerName, readonly Measured[]>): string {
  const proxy = turns.get("proxy") ?? [];
  const rows = [...turns].map(([name, measured]) => {
    const middle = (of: (one: Measured) => number): number =>
      measured.map(of).sort((a, b) => a - b)[Math.floor(measured.length / 2)] ?? Number.NaN;
    return [
      SERVERS[name].name,
      name === "proxy" ? "1.00" : ratioTo(proxy, measured),
      middle((one) => one.perSecond).toFixed(0),
      middle((one) => one.p50).toFixed(1),
      middle((one) => one.p99).toFixed(1),
      middle((one) => one.cpuMicros).toFixed(0),
      middle((one) => one.rssMb).toFixed(0),
      middle((one) => one.upstreamPerThousand).toFixed(0),
    ];
  });
  return table(
    ["server", "ratio (95 %)", "requests/s", "p50 ms", "p99 ms", "CPU µs/request", "memory MB", "upstream calls/1000"],
    rows,
  );
}
