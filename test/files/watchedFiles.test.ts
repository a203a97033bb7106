import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ManualClock } from "@exchange-graph/contract/clock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { accountSource } from "../../src/config/configuredAccounts.js";
import { changeableByOthers, readGuardedJson } from "../../src/files/guardedFile.js";
import { WatchedFiles } from "../../src/files/watchedFiles.js";
import { type Instrumentation, listen } from "../../src/instrumentation/instrumentation.js";
import { settled } from "../support/eventually.js";
import { ownInstrumentation } from "../support/searchedTelemetry.js";

let folder: string;
let path: string;
let clock: ManualClock;
let files: WatchedFiles;
let reports: string[];
let instrumentation: Instrumentation;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "watched-"));
  path = join(folder, "numbers.json");
  clock = new ManualClock(0);
  reports = [];
  instrumentation = ownInstrumentation();
  listen(instrumentation, instrumentation.fileChange, ({ setting, mistakes }) =>
    reports.push(mistakes === undefined ? `${setting} reloaded` : `${setting} failed: ${mistakes.join("; ")}`),
  );
  files = new WatchedFiles(clock, instrumentation);
});
afterEach(() => {
  files.close();
  rmSync(folder, { recursive: true });
});

const write = (content: unknown): void => writeFileSync(path, JSON.stringify(content));

/** Watches a file with a list of numbers; `seen` has the accepted values. */
function watchNumbers() {
  const seen: (readonly number[])[] = [];
  const watched = files.watch({
    setting: "NUMBERS_FILE",
    paths: [path],
    read: () => readGuardedJson(path, changeableByOthers, z.array(z.number())),
    changed: (content) => {
      if (content.includes(13)) throw new Error("13 is unlucky");
      seen.push(content);
    },
  });
  return { watched, seen };
}

describe("a file under watch", () => {
  it("is read again when it changes, within a second", async () => {
    write([1]);
    const { seen } = watchNumbers();
    clock.advance(1_000);
    await expect.poll(() => seen).toEqual([[1]]);
    write([2]);
    clock.advance(1_000);
    await expect.poll(() => seen).toEqual([[1], [2]]);
    expect(reports).toEqual(["NUMBERS_FILE reloaded"]);
  });

  it("is looked at once at a time, however slow its drive is", async () => {
    const looks: ((version: string) => void)[] = [];
    const slow = new WatchedFiles(clock, instrumentation, () => new Promise((found) => looks.push(found)));
    write([1]);
    slow.watch({ setting: "SLOW_FILE", paths: [path], read: () => ({ content: 1 }), changed: () => undefined });
    const asked = slow.look();
    clock.advance(5_000);
    await settled();
    expect(looks.length).toBe(1);
    looks[0]?.("first");
    await asked;
    await expect.poll(() => looks.length).toBe(2);
    looks[1]?.("first");
    await expect.poll(() => clock.pending).toBe(1);
    clock.advance(1_000);
    await expect.poll(() => looks.length).toBe(3);
    slow.close();
  });

  it("is left alone as long as it stays the same", async () => {
    write([1]);
    const { watched, seen } = watchNumbers();
    for (let look = 0; look < 3; look++) await watched.look();
    expect(seen).toEqual([[1]]);
  });

  it("that is incomplete, missing or invalid changes nothing, is reported once, and is loaded when it is valid again", async () => {
    write([1]);
    const { watched, seen } = watchNumbers();
    await watched.look();
    writeFileSync(path, "[2, ");
    await watched.look();
    writeFileSync(path, "[2,  ");
    await watched.look();
    expect(reports).toEqual(["NUMBERS_FILE failed: is not valid JSON"]);
    expect([...files.failing]).toEqual([["NUMBERS_FILE", ["is not valid JSON"]]]);
    rmSync(path);
    await watched.look();
    write([13]);
    await watched.look();
    expect(reports.slice(1)).toEqual(["NUMBERS_FILE failed: cannot be read: ENOENT", "NUMBERS_FILE failed: 13 is unlucky"]);
    expect(seen).toEqual([[1]]);
    write([2]);
    await watched.look();
    expect(seen).toEqual([[1], [2]]);
    expect(reports.at(-1)).toBe("NUMBERS_FILE reloaded");
    expect(files.failing.size).toBe(0);
  });

  it("that could not be read for a moment is read once the reason has gone, without another change", async () => {
    let isReadable = true;
    let isReachable = true;
    const of = new WatchedFiles(clock, instrumentation, (file) =>
      isReachable ? Promise.resolve(`the version of ${file}`) : Promise.reject(new Error("no permission to the folder")),
    );
    const seen: number[] = [];
    const watched = of.watch({
      setting: "NUMBERS_FILE",
      paths: [path],
      read: () => (isReadable ? { content: 1 } : { mistakes: ["cannot be read: EMFILE"] }),
      changed: (content) => seen.push(content),
    });
    isReadable = false;
    await watched.look();
    await watched.look();
    expect(reports).toEqual(["NUMBERS_FILE failed: cannot be read: EMFILE"]);
    isReadable = true;
    await watched.look();
    expect(seen).toEqual([1]);
    expect(of.failing.size).toBe(0);
    isReachable = false;
    clock.advance(1_000);
    await expect.poll(() => [...of.failing.values()]).toEqual([["no permission to the folder"]]);
    isReachable = true;
    clock.advance(1_000);
    await expect
      .poll(() => reports.slice(1))
      .toEqual(["NUMBERS_FILE reloaded", "NUMBERS_FILE failed: no permission to the folder", "NUMBERS_FILE reloaded"]);
    expect(of.failing.size).toBe(0);
    of.close();
  });

  it.skipIf(process.platform === "win32")("that is replaced by a pipe, which nobody writes into, is not read", async () => {
    write([1]);
    const { watched, seen } = watchNumbers();
    await watched.look();
    rmSync(path);
    execFileSync("mkfifo", [path]);
    clock.advance(1_000);
    const reason = `${path} must be a file, and is a folder, a pipe or a device`;
    await expect.poll(() => reports).toEqual([`NUMBERS_FILE failed: ${reason}`]);
    rmSync(path);
    write([2]);
    await watched.look();
    expect(seen).toEqual([[1], [2]]);
  });

  it("is read together with the others of a key: all of them have changed, or one has for half a minute", async () => {
    const parts = ["key", "secret", "passphrase"].map((name) => join(folder, name));
    const put = (place: number, content: string) => {
      writeFileSync(join(folder, "next"), content, { mode: 0o600 });
      renameSync(join(folder, "next"), parts[place] ?? "");
    };
    for (const place of parts.keys()) put(place, "first");
    const [key = "", secret = "", passphrase = ""] = parts;
    const source = accountSource({
      EXCHANGE_API_KEY_FILE: key,
      EXCHANGE_API_SECRET_FILE: secret,
      EXCHANGE_API_PASSPHRASE_FILE: passphrase,
    });
    if (source === undefined) throw new Error("there is no account");
    const seen: string[] = [];
    const watched = files.watch({
      ...source,
      changed: ([account]) => {
        if (account !== undefined)
          seen.push(
            Object.values(account.credentials)
              .map((part) => part.reveal())
              .join(" "),
          );
      },
    });
    await watched.look();
    for (const place of parts.keys()) {
      clock.advance(20_000);
      put(place, "second");
      await watched.look();
      expect(seen).toHaveLength(place < 2 ? 1 : 2);
    }
    put(1, "mended");
    await watched.look();
    clock.advance(29_000);
    await watched.look();
    expect(seen).toHaveLength(2);
    clock.advance(1_000);
    await watched.look();
    expect(seen).toEqual(["first first first", "second second second", "second mended second"]);
    rmSync(key);
    await watched.look();
    expect(files.failing.size).toBe(1);
  });

  it("may be swapped together with its folder, as Kubernetes does", async () => {
    const publish = (version: string, content: unknown): void => {
      mkdirSync(join(folder, version));
      writeFileSync(join(folder, version, "numbers.json"), JSON.stringify(content));
      symlinkSync(version, join(folder, `${version}-link`));
      renameSync(join(folder, `${version}-link`), join(folder, "..data"));
    };
    publish("first", [1]);
    symlinkSync(join("..data", "numbers.json"), path);
    const { watched, seen } = watchNumbers();
    await watched.look();
    publish("second", [2]);
    await watched.look();
    expect(seen).toEqual([[1], [2]]);
  });

  it("is not read any more once it is closed", async () => {
    write([1]);
    const { watched, seen } = watchNumbers();
    files.close();
    await watched.look();
    expect(clock.pending).toBe(0);
    expect(seen).toEqual([]);
  });
});
