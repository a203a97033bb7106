import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { isMountedReadOnly, openToOthers, readGuarded, readGuardedJson } from "../../src/files/guardedFile.js";

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "guarded-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("a read-only mount", () => {
  const MOUNTINFO = [
    "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw",
    "40 22 0:35 / /run/secrets ro,relatime - tmpfs tmpfs rw",
    "41 22 0:36 / /mnt/with\\040space ro - tmpfs tmpfs rw",
    "42 22 0:37 / /etc/keys ro - tmpfs tmpfs rw",
    "43 42 0:38 / /etc/keys rw - tmpfs tmpfs rw",
    "",
  ].join("\n");

  it.each([
    ["/run/secrets/api-key", true],
    ["/run/secrets", true],
    ["/run/secrets-of-others/api-key", false],
    ["/mnt/with space/api-key", true],
    ["/etc/keys/api-key", false],
    ["/srv/desk/api-key", false],
  ])("is the one that holds the path: %s", (path, isReadOnly) => {
    expect(isMountedReadOnly(MOUNTINFO, path)).toBe(isReadOnly);
  });
});

describe("a file of another shape", () => {
  const schema = z.strictObject({ list: z.array(z.strictObject({ name: z.string() })), count: z.number(), isOn: z.boolean() });

  it.each([
    ["[]", ["must be an object"]],
    ['{"list": {}, "count": "1", "isOn": 1}', [".list must be a list", ".count must be a number", ".isOn must be true or false"]],
    [
      '{"list": [{"name": 5}, {"name": "a", "nam": 1}, 5], "count": 1, "isOn": true, "other": 1}',
      [".list[0].name must be text", ".list[1] must not have nam", ".list[2] must be an object", "must not have other"],
    ],
  ])("says what must be where: %s", (content, mistakes) => {
    const path = join(folder, "shape.json");
    writeFileSync(path, content, { mode: 0o600 });
    expect(readGuardedJson(path, openToOthers, schema)).toEqual({ mistakes });
  });
});

describe("a file that all users may read", () => {
  it("is refused, unless a container platform has mounted it read-only", async ({ skip }) => {
    const path = join(folder, "secret");
    writeFileSync(path, "the-secret");
    chmodSync(path, 0o444);
    expect(readGuarded(path, openToOthers)).toEqual({ mistakes: [expect.stringContaining("is open to other users")] });
    const program = `import { openToOthers, readGuarded } from "${resolve("dist/src/files/guardedFile.js")}";
      console.log(JSON.stringify(readGuarded("${path}", openToOthers)));`;
    const bind = `mount --bind ${folder} ${folder}`;
    const script = `${bind} && mount -o remount,ro,bind ${folder} && exec "$0" --input-type=module -e '${program}'`;
    const canMount = await run("unshare", ["-rm", "sh", "-c", bind]).then(
      () => true,
      () => false,
    );
    if (!canMount) return skip("no mount namespace can be made on this machine");
    const { stdout } = await run("unshare", ["-rm", "sh", "-c", script, process.execPath]);
    expect(stdout).toBe('{"content":"the-secret"}\n');
  });
});
