import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { VERSION } from "../../../src/config/version.js";
import { Metrics } from "../../../src/telemetry/metrics/metrics.js";

it("the metrics name the version of package.json, and that of Node", async () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { readonly version: string };
  expect(VERSION).toBe(version);
  const { body } = await new Metrics().show(undefined);
  expect(body).toContain(`\nexchange_graph_build_info{version="${version}",node="${process.versions.node}"} 1\n`);
});
