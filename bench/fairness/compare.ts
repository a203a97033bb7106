import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { systemClock } from "@exchange-graph/contract/clock";
import { Pool } from "undici";
import { tokenCommand } from "../../src/access/tokens/tokenCommand.js";
import { Child } from "../child.js";
import { table } from "../table.js";
import { cachedBody, historyBody } from "./documents.js";

/**
 * How much a client that requests as much as it may delays another one. Gateway, exchange and attacker are separate processes.
 */

const WITHOUT_ATTACK_MS = 4_000;
const UNDER_ATTACK_MS = 12_000;
/** Time until the attack has reached its full load. */
const RAMP_UP_MS = 1_000;

interface Victim {
  readonly title: string;
  /** Requests of the attacker, as printed. */
  readonly load: string;
  readonly attack: "largest" | "histories" | "tickers";
  readonly body: (turn: number) => string;
  /** Pause between an answer and the next request. */
  readonly pauseMs: number;
}

const VICTIMS: readonly Victim[] = [
  { title: "cached query", load: "3 of the largest queries at a time", attack: "largest", body: cachedBody, pauseMs: 5 },
  { title: "cached query", load: "60 sockets of 100 tickers each", attack: "tickers", body: cachedBody, pauseMs: 5 },
  {
    title: "one order history",
    load: "150 order histories at a time",
    attack: "histories",
    body: (turn) => historyBody(1e6 + turn),
    pauseMs: 250,
  },
];

export async function* compareFairness(): AsyncGenerator<string> {
  const folder = mkdtempSync(join(tmpdir(), "fairness-"));
  const path = join(folder, "clients.json");
  const token = (name: string) =>
    tokenCommand(["create", name, "--scope", "read:market", "--scope", "read:account"], path, systemClock).out.trim();
  const tokens = { victim: token("victim"), attacker: token("attacker") };
  for (const victim of VICTIMS) {
    yield `## ${victim.title}, attacker with ${victim.load}`;
    const rows = await measureVictim(victim, path, tokens);
    yield table(["requests", "answers", "p50 ms", "p90 ms", "p99 ms", "max ms", "refused"], rows);
  }
  rmSync(folder, { recursive: true });
}

async function measureVictim({ attack, body, pauseMs }: Victim, path: string, tokens: Record<"victim" | "attacker", string>) {
  const sandbox = await Child.start("./fairness/sandbox.js");
  const gateway = await Child.start("./fairness/gateway.js", ...sandbox.url.split(" "), path);
  const attacker = await Child.start("./fairness/attacker.js", gateway.url, tokens.attacker, attack);
  const pool = new Pool(new URL(gateway.url).origin, { connections: 4 });
  const headers = { "content-type": "application/json", authorization: `Bearer ${tokens.victim}` };
  let turn = 0;
  const ask = async (forMs: number) => {
    const took: number[] = [];
    let refused = 0;
    for (const end = performance.now() + forMs; performance.now() < end; await pause(pauseMs)) {
      const began = performance.now();
      const answer = await pool.request({ method: "POST", path: "/graphql", headers, body: body(turn++) });
      const text = await answer.body.text();
      if (answer.statusCode !== 200 || text.includes('"errors"')) refused++;
      else took.push(performance.now() - began);
    }
    return { took, refused };
  };
  await ask(RAMP_UP_MS);
  const alone = await ask(WITHOUT_ATTACK_MS);
  attacker.begin(1);
  await ask(RAMP_UP_MS);
  const underAttack = await ask(UNDER_ATTACK_MS);
  await pool.close();
  await Promise.all([attacker.stop(), gateway.stop(), sandbox.stop()]);
  return [row("without an attacker", alone), row("with it", underAttack)];
}

function row(title: string, { took, refused }: { readonly took: readonly number[]; readonly refused: number }): string[] {
  const sorted = took.toSorted((one, other) => one - other);
  const at = (share: number) => (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(1);
  return [title, String(took.length), at(0.5), at(0.9), at(0.99), at(1), String(refused)];
}
