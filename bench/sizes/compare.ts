import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Client, createClient } from "graphql-ws";
import { WebSocket } from "ws";
import { table } from "../table.js";

/** What clients do, for a memory and CPU time that an operator can plan with. */
interface Load {
  readonly title: string;
  readonly listeners: number;
  readonly queriesPerSecond: number;
}

const LOADS: readonly Load[] = [
  { title: "nobody", listeners: 0, queriesPerSecond: 0 },
  { title: "a desk or two: 20 queries a second", listeners: 0, queriesPerSecond: 20 },
  { title: "200 listeners of ten symbols, 20 queries a second", listeners: 200, queriesPerSecond: 20 },
  { title: "1,000 listeners of ten symbols, 50 queries a second", listeners: 1_000, queriesPerSecond: 50 },
];
const SECONDS = Number.parseInt(process.env.SIZE_SECONDS ?? "60", 10);
const SYMBOLS = ["BTC", "ETH", "SOL", "XRP", "DOGE", "ADA", "LTC", "LINK", "DOT", "AVAX"].map((coin) => `${coin}USDT`);
const OVERVIEW = "{ accounts { name mode totalEquity positions { symbol posSide qty unrealisedPnl ticker { lastPrice } } } }";
const TICKER =
  "subscription ($symbol: String!) { ticker(category: USDT_FUTURES, symbol: $symbol) { ticker { lastPrice bid1Price } } }";
/** Clock ticks of the kernel in a second. */
const TICKS = 100;

/** Starts a program; resolves with its address, which a line of its output has. */
function serving(program: string, env: Readonly<Record<string, string>>, line: RegExp) {
  const child = spawn(process.execPath, [resolve(program)], { env, stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  return new Promise<{ readonly child: ChildProcess; readonly url: string }>((serves, failed) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
      const url = line.exec(printed)?.[1];
      if (url !== undefined) serves({ child, url });
    });
    child.once("exit", (code) => failed(new Error(`${program} ended with ${code}:\n${printed}`)));
  });
}

/** CPU time so far, in seconds, and the largest memory so far, in MB. */
function used({ pid }: ChildProcess) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  const [, peak = "0"] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  const ticks = Number.parseInt(fields[11] ?? "", 10) + Number.parseInt(fields[12] ?? "", 10);
  return { cpuSeconds: ticks / TICKS, peakMb: Number.parseInt(peak, 10) / 1_024 };
}

/** Whether a query was answered. */
async function ask(url: string): Promise<boolean> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${url}/graphql`, { method: "POST", headers, body: JSON.stringify({ query: OVERVIEW }) });
  await answer.text();
  return answer.ok;
}

async function rowOf({ title, listeners, queriesPerSecond }: Load, settings: Readonly<Record<string, string>>) {
  process.stderr.write(`${title}: ${SECONDS} s\n`);
  const { child, url } = await serving("bundle/main.js", settings, /^GraphiQL on (\S+)\/graphiql/m);
  const clients: Client[] = [];
  for (let one = 0; one < listeners; one++) {
    const client = createClient({ url: `${url.replace("http", "ws")}/graphql`, webSocketImpl: WebSocket, retryAttempts: 0 });
    clients.push(client);
    const sink = { next: () => undefined, error: () => undefined, complete: () => undefined };
    client.subscribe({ query: TICKER, variables: { symbol: SYMBOLS[one % SYMBOLS.length] } }, sink);
    if (one % 50 === 0) await pause(50);
  }
  await pause(2_000);
  const before = used(child).cpuSeconds;
  const asking: Promise<boolean>[] = [];
  for (let tenth = 0; tenth < SECONDS * 10; tenth++) {
    for (let one = 0; one < queriesPerSecond / 10; one++) asking.push(ask(url).catch(() => false));
    await pause(100);
  }
  const answers = await Promise.all(asking);
  const failed = answers.filter((isAnswered) => !isAnswered).length;
  const { cpuSeconds, peakMb } = used(child);
  for (const client of clients) await client.dispose();
  const ended = once(child, "exit");
  child.kill();
  await ended;
  return [title, ((cpuSeconds - before) / SECONDS).toFixed(2), Math.round(peakMb).toString(), `${failed} of ${answers.length}`];
}

/** CPU time and memory of one gateway, in front of a sandbox exchange in another process. */
export async function compareSizes(): Promise<string> {
  const exchange = await serving("packages/sandbox/dist/main.js", { SANDBOX_PORT: "0" }, /sandbox exchange on (\S+),/);
  const settings = {
    PORT: "0",
    JOURNAL_PATH: ":memory:",
    EXCHANGE_BASE_URL: exchange.url,
    EXCHANGE_WS_URL: exchange.url.replace("http", "ws"),
    EXCHANGE_ACCOUNTS_FILE: resolve(process.env.SIZE_ACCOUNTS ?? "deploy/kubernetes/overlays/sandbox/accounts.json"),
    MAX_LOOP_DELAY_READS_MS: "60000",
    MAX_LOOP_DELAY_WRITES_MS: "60000",
    CLIENT_SOCKETS: "10000",
    CLIENT_OPERATIONS_PER_MINUTE: "0",
    CLIENT_EVENTS_PER_MINUTE: "0",
    CLIENT_UPSTREAM_CALLS_PER_MINUTE: "0",
  };
  const rows: (readonly string[])[] = [];
  for (const load of LOADS) rows.push(await rowOf(load, settings));
  exchange.child.kill();
  return table(["load", "cores in use", "largest memory, MB", "failed queries"], rows);
}
