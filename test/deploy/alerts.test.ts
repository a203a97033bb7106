import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { endpoints } from "@exchange-graph/contract";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { whyMissing } from "../support/missing.js";
import { codeOf } from "../support/pages.js";
import { unknownIn } from "./knownMetrics.js";
import { readPromql } from "./promql.js";
import { rulesOf } from "./rules.js";

const ALERTS = "deploy/prometheus/alerts.yml";
const RECORDING = "deploy/prometheus/recording.yml";
const CASES = ["test/deploy/prometheus/alerts.test.yml", "test/deploy/prometheus/errorBudgets.test.yml"];

const alerts = rulesOf(ALERTS);
const recording = rulesOf(RECORDING);
const names = alerts.map(({ alert = "" }) => alert);
const reference = readFileSync("docs/reference.md", "utf8");
const runbooks = readFileSync("docs/runbooks.md", "utf8");

const caseFile = z.object({
  tests: z.array(
    z.object({
      input_series: z.array(z.object({ series: z.string() })),
      alert_rule_test: z.array(
        z.object({ alertname: z.string(), exp_alerts: z.array(z.object({ exp_labels: z.record(z.string(), z.string()) })) }),
      ),
    }),
  ),
});
/** For each case the jobs for which its alert fires, and those for which it stays silent. */
const cases = CASES.flatMap((path) => caseFile.parse(parse(readFileSync(path, "utf8"))).tests).flatMap(
  ({ input_series, alert_rule_test }) => {
    const jobs = input_series.map(({ series }) => /job="([^"]+)"/.exec(series)?.[1] ?? "");
    return alert_rule_test.map(({ alertname, exp_alerts }) => {
      const fires = exp_alerts.map(({ exp_labels: { job = "" } }) => job);
      return { alertname, fires, silent: exp_alerts.length === 0 ? [""] : jobs.filter((job) => !fires.includes(job)) };
    });
  },
);

describe("the rules for Prometheus", () => {
  it.each([...recording, ...alerts].map((rule) => [rule.alert ?? rule.record, rule] as const))(
    "use only existing metrics and labels in %s",
    (_, { expr }) => {
      const recorded = new Set(recording.map(({ record = "" }) => record));
      expect(unknownIn(readPromql(expr), recorded)).toEqual([]);
    },
  );

  it("count exactly the endpoints that write for the certainty of writes", () => {
    const [, listed = ""] = /endpoint=~"([^"]+)"/.exec(readFileSync(RECORDING, "utf8")) ?? [];
    const writing = endpoints.filter(({ method }) => method === "POST").map(({ name }) => name);
    expect(listed.split("|")).toEqual(writing.sort());
  });

  it("have a case in which each alert fires, and one in which it does not", () => {
    const having = (what: "fires" | "silent") => new Set(cases.flatMap((one) => (one[what].length > 0 ? one.alertname : [])));
    expect(having("fires")).toEqual(new Set(names));
    expect(having("silent")).toEqual(new Set(names));
  });

  it("hold in these cases", ({ skip }) => {
    const missing = whyMissing({ promtool: "prometheus" });
    if (missing !== undefined) skip(missing);
    const [command = "", ...others] = codeOf("alertCases");
    expect(others).toEqual([]);
    // Each case has a store of its own: their garbage is collected less often.
    const env = { ...process.env, GOGC: "400" };
    const { status, stdout, stderr } = spawnSync("bash", ["-euc", command], { encoding: "utf8", env });
    expect(stdout + stderr).not.toContain("FAILED");
    for (const path of CASES) expect(stdout).toContain(path);
    expect(status).toBe(0);
  });

  it("are evaluated and passed on by configurations that Prometheus and Alertmanager take", ({ skip }) => {
    const missing = whyMissing({ promtool: "prometheus", amtool: "prometheus-alertmanager" });
    if (missing !== undefined) skip(missing);
    const check = (...[program = "", ...words]: readonly string[]) => spawnSync(program, words, { encoding: "utf8" }).status;
    expect(check("promtool", "check", "config", "deploy/prometheus/prometheus.yml")).toBe(0);
    expect(check("amtool", "check-config", "deploy/prometheus/notifications.yml")).toBe(0);
  });

  it("are scraped for by a configuration that Prometheus takes", ({ skip }) => {
    const missing = whyMissing({ promtool: "prometheus" });
    if (missing !== undefined) skip(missing);
    const command = ["-c", "cat | promtool check config --syntax-only /dev/stdin"];
    for (const input of codeOf("scrapeConfig"))
      expect(spawnSync("bash", command, { encoding: "utf8", input })).toMatchObject({ status: 0, stderr: "" });
  });
});

describe("the pages on alerts", () => {
  it("have a runbook for each, in the same order, to which the alert points", () => {
    const sections = [...runbooks.matchAll(/^## (.+)$/gm)].map(([, name = ""]) => name);
    expect(sections).toEqual(names);
    for (const { alert = "", annotations } of alerts)
      expect(annotations.runbook_url).toBe(
        `{{ with $externalLabels.gateway_docs }}{{ . }}{{ else }}http://127.0.0.1:4000/docs{{ end }}/runbooks#${alert.toLowerCase()}`,
      );
  });

  it("have no broken links", () => {
    const anchors = (page: string) =>
      [...page.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
        title
          .toLowerCase()
          .replace(/[^\w -]/g, "")
          .replaceAll(" ", "-"),
      );
    const links = (page: string, to: string) =>
      [...page.matchAll(/\]\(([\w.]*)#([\w-]+)\)/g)].filter(([, file]) => file === to).map(([, , anchor]) => anchor);
    expect(anchors(runbooks)).toEqual(expect.arrayContaining([...links(runbooks, ""), ...links(reference, "runbooks.md")]));
    expect(anchors(reference)).toEqual(expect.arrayContaining([...links(runbooks, "reference.md"), ...links(reference, "")]));
  });

  it("mention only existing metrics in the runbooks", () => {
    const spoken = new Set(runbooks.match(/\bexchange_graph_\w+/g));
    expect(unknownIn({ metrics: spoken, matched: [] })).toEqual([]);
  });
});
