import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readConfig } from "../../src/config/config.js";
import { servingProduct } from "../e2e/product.js";
import { Checkout } from "../support/checkout.js";
import { describeUnless, whyMissing } from "../support/missing.js";
import { codeOf } from "../support/pages.js";
import { expectFirstAnswer } from "./firstQuery.js";

/** The unit with this machine's paths of Node and the product. */
const unit = readFileSync("deploy/systemd/exchange-graph.service", "utf8")
  .replace("/usr/bin/node", process.execPath)
  .replaceAll("/opt/exchange-graph", resolve("."));
const valuesOf = (name: string): readonly string[] =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, "gm"))].map(([, value = ""]) => value);

const folder = mkdtempSync(join(tmpdir(), "systemd-"));
const place = join(folder, "exchange-graph.service");
writeFileSync(place, unit);
afterAll(() => rmSync(folder, { recursive: true }));

describe("the unit for systemd", () => {
  const missing = whyMissing({ "systemd-analyze": "systemd" });
  const analyze = (...words: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync("systemd-analyze", words, { encoding: "utf8" });
    return { status, output: stdout + stderr };
  };

  describeUnless(missing, "by systemd itself", () => {
    it("is right", () => {
      expect(analyze("verify", "--man=no", place)).toEqual({ status: 0, output: "" });
    });

    it("is installed by the commands of the page", async () => {
      const checkout = new Checkout();
      const root = join(checkout.folder, "root");
      // Runs the commands on a separate root, where /opt/exchange-graph is the checkout and systemd is not running.
      const programs = `mkdir -p ${root}/{usr/lib/sysusers.d,etc/systemd/system,opt}
        ln -s ${checkout.folder} ${root}/opt/exchange-graph
        cd() { builtin cd "${root}$1"; }
        systemd-sysusers() { command systemd-sysusers --root=${root}; }
        install() { command install "\${@:1:$#-1}" "${root}\${!#}"; }
        systemctl() { [ "$1" = daemon-reload ] || command systemctl --root=${root} enable "\${!#}"; }\n`;
      for (const code of codeOf("systemd")) {
        // No user may be created on this machine, so the folder belongs to the current user.
        await checkout.run(code.replace("-o exchange-graph", `-o ${userInfo().username}`), programs);
        expect(readFileSync(join(root, "etc/passwd"), "utf8")).toMatch(/^exchange-graph:/m);
        expect(statSync(join(root, "etc/exchange-graph")).mode & 0o777).toBe(0o700);
        const wanted = join(root, "etc/systemd/system/multi-user.target.wants/exchange-graph.service");
        expect(readlinkSync(wanted)).toBe("/etc/systemd/system/exchange-graph.service");
      }
      checkout.remove();
    });

    it("has an exposure level of at most 2.0 of 10", () => {
      const { status, output } = analyze("security", "--no-pager", "--offline=true", "--threshold=20", place);
      expect(output).toMatch(/Overall exposure level for exchange-graph\.service: [01]\.\d/);
      expect(status).toBe(0);
    });
  });

  it("starts the product, which answers", async () => {
    const settings = Object.fromEntries(valuesOf("Environment").map((one) => one.split("=") as [string, string]));
    const [command = ""] = valuesOf("ExecStart");
    const product = await servingProduct(settings, command.split(" "));
    await expectFirstAnswer(product.url);
    expect(await product.stop()).toBe(0);
  });

  it("waits for the product to stop gracefully", () => {
    const [seconds = "0"] = valuesOf("TimeoutStopSec");
    expect(Number.parseInt(seconds, 10) * 1_000).toBeGreaterThan(readConfig({}).shutdownTimeoutMs + 2_000);
  });

  it("runs as its dedicated user, in a separate folder", () => {
    const [, user, home] = /^u (\S+) - "[^"]*" (\S+)$/m.exec(readFileSync("deploy/systemd/exchange-graph.conf", "utf8")) ?? [];
    expect([...valuesOf("User"), ...valuesOf("WorkingDirectory")]).toEqual([user, home]);
  });
});
