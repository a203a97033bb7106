import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type Product, servingProduct } from "../e2e/product.js";
import { freePort } from "../support/freePort.js";
import { describeUnless, whyMissing } from "../support/missing.js";
import { MixedLoad } from "../support/mixedLoad.js";
import { noRedis, type RedisServer, redisServer } from "../support/redisServer.js";
import { BOARD, withVariables } from "./board.js";
import { unknownIn } from "./knownMetrics.js";
import { readPromql } from "./promql.js";
import { rulesOf } from "./rules.js";

const CONFIG = "deploy/prometheus/prometheus.yml";
const queries = BOARD.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const));

describe("the board for Grafana", () => {
  const recorded = new Set(rulesOf("deploy/prometheus/recording.yml").map(({ record = "" }) => record));

  it.each(queries)("uses only existing metrics and labels in %s", (_, expr) => {
    expect(unknownIn(readPromql(withVariables(expr, "1m")), recorded)).toEqual([]);
  });

  it("has a row for each subject, a query and a description for each panel, and no overlapping panels", () => {
    const rows = BOARD.panels.filter(({ type }) => type === "row").map(({ title }) => title);
    expect(rows).toEqual(["Overview", "Exchange and rate budgets", "Streams", "Writes", "Clients", "Replicas"]);
    const taken = new Set<string>();
    for (const { type, title, targets, description, gridPos } of BOARD.panels) {
      if (type !== "row") expect([title, targets.length > 0, description !== ""]).toEqual([title, true, true]);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          expect(taken, title).not.toContain(`${x} ${y}`);
          taken.add(`${x} ${y}`);
        }
    }
    expect(new Set(BOARD.panels.map(({ id }) => id)).size).toBe(BOARD.panels.length);
  });

  it("has only the variables that it uses", () => {
    expect(BOARD.templating.list.map(({ name }) => name)).toEqual(["datasource", "job", "instance"]);
  });
});

const answer = z.object({
  status: z.literal("success"),
  data: z.object({ result: z.array(z.object({ value: z.tuple([z.number(), z.string()]) })) }),
});

const missing = whyMissing({ prometheus: "prometheus", promtool: "prometheus" }) ?? noRedis;

describeUnless(missing, "Prometheus over a gateway under load", () => {
  const folder = mkdtempSync(join(tmpdir(), "prometheus-"));
  let redis: RedisServer;
  let product: Product;
  let prometheus: ChildProcess;
  let url: string;

  /** Prometheus with the project's configuration, but another target and a shorter scrape interval. */
  async function startPrometheus(target: string): Promise<void> {
    const config = readFileSync(CONFIG, "utf8")
      .replace("gateway:9464", target)
      .replace("scrape_interval: 15s", "scrape_interval: 500ms")
      .replace("evaluation_interval: 30s", "evaluation_interval: 500ms")
      .replace(/- (\w+\.yml)/g, (_, file: string) => `- ${resolve("deploy/prometheus", file)}`);
    writeFileSync(join(folder, "prometheus.yml"), config);
    const address = `127.0.0.1:${await freePort()}`;
    url = `http://${address}`;
    const options = [`--config.file=${folder}/prometheus.yml`, `--storage.tsdb.path=${folder}/data`, "--log.level=error"];
    prometheus = spawn("prometheus", [...options, `--web.listen-address=${address}`], { stdio: "inherit" });
    process.once("exit", () => prometheus.kill("SIGKILL"));
  }

  /** The current values of a query. */
  async function ask(expression: string): Promise<readonly number[]> {
    const response = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(expression)}`);
    return answer.parse(await response.json()).data.result.map(({ value: [, text] }) => Number.parseFloat(text));
  }

  beforeAll(async () => {
    const METRICS_PORT = String(await freePort());
    await startPrometheus(`127.0.0.1:${METRICS_PORT}`);
    redis = await redisServer();
    product = await servingProduct({ METRICS_PORT, REDIS_URL: redis.url });
  });
  afterAll(async () => {
    const ended = once(prometheus, "exit");
    prometheus.kill();
    await ended;
    await product.stop();
    await redis.close();
    rmSync(folder, { recursive: true });
  });

  it("shows data in every panel", async () => {
    const load = new MixedLoad(product.url, { now: () => Date.now(), settled: (waiting) => waiting });
    let empty = queries;
    const ofThem = async () => {
      await load.round();
      const answers = await Promise.all(empty.map(([, expr]) => ask(withVariables(expr, "5s"))));
      empty = empty.filter((_, at) => !answers[at]?.some((value) => Number.isFinite(value)));
      return empty;
    };
    await expect.poll(ofThem, { interval: 250, timeout: 90_000 }).toEqual([]);
    await load.rest();
    // On a busy machine Redis may grant a part of a budget too late.
    expect([...load.failures.keys()].filter((message) => !message.includes("no rate budget before"))).toEqual([]);
  });
});
