import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ManualClock } from "@exchange-graph/contract/clock";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { tokenCommand } from "../../../src/access/tokens/tokenCommand.js";
import { readTokenFile } from "../../../src/access/tokens/tokenFile.js";
import { Tokens } from "../../../src/access/tokens/tokens.js";

/** What happens at the moment after the folder of the file was made. */
const moment = vi.hoisted(() => ({ task: (): void => undefined }));
vi.mock("node:fs", async (importOriginal) => {
  const fs = await importOriginal<typeof import("node:fs")>();
  const mkdirSync = (...[folder, options]: Parameters<typeof fs.mkdirSync>) => {
    const made = fs.mkdirSync(folder, options);
    moment.task();
    return made;
  };
  return { ...fs, mkdirSync };
});

const NOW = Date.UTC(2026, 10, 21);
let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tokens-"));
  path = join(folder, "data", "clients.json");
});
afterEach(() => rmSync(folder, { recursive: true }));

const run = (...args: string[]) => tokenCommand(args, path, new ManualClock(NOW));
const records = () => {
  const read = readTokenFile(path);
  if ("mistakes" in read) throw new Error(read.mistakes.join());
  return read.content.tokens;
};
const created = (...args: string[]): string => run("create", ...args).out.trim();

describe("a created token", () => {
  it("is 256 random bits after a recognisable prefix", () => {
    const one = created("one", "--scope", "trade");
    expect(one).toMatch(/^exgt_[\w-]{43}$/);
    expect(created("two", "--scope", "trade")).not.toBe(one);
  });

  it("is stored only as a hash, in a file that only its owner can read", () => {
    const token = created("desk", "--scope", "trade");
    expect(readFileSync(path, "utf8")).not.toContain(token.slice(5));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(existsSync(`${path}.new`)).toBe(false);
  });

  it.runIf(process.getuid?.() === 0)("keeps the owner of the file for any user who creates the token", () => {
    created("first", "--scope", "trade");
    chownSync(path, 1_234, 1_234);
    created("second", "--scope", "trade");
    expect(statSync(path)).toMatchObject({ uid: 1_234, gid: 1_234 });
  });

  it("is identified with the scopes it was created with", () => {
    const token = created("desk", "--scope", "read:market", "--scope", "trade=main,classic", "--expires", "12h", "--weight", "5");
    const principal = new Tokens(records(), () => false).find(token);
    expect(principal).toMatchObject({ name: "desk", expiresAt: NOW + 12 * 3_600_000, weight: 5 });
    expect(principal?.rights.grants).toEqual({ "read:market": "*", trade: ["classic", "main"] });
    expect(principal?.id).toMatch(/^token:[0-9a-f]{12}$/);
  });

  it("is not found by anything else", () => {
    const token = created("desk", "--scope", "trade");
    const tokens = new Tokens(records(), () => false);
    for (const other of [`${token}A`, token.slice(0, -1), token.toUpperCase(), records()[0]?.hash ?? "", ""])
      expect(tokens.find(other)).toBeUndefined();
  });

  it("is granted for all accounts if none is named", () => {
    created("desk", "--scope", "trade");
    expect(records()[0]?.scopes).toEqual({ trade: "*" });
  });
});

describe("the list", () => {
  it("shows what each token may do, and neither token nor hash", () => {
    const token = created("desk", "--scope", "trade=main");
    const { out } = run("list");
    expect(out).toContain("desk\ttrade=main\t2026-11-21T00:00:00.000Z\tnever");
    for (const secret of [token, records()[0]?.hash ?? ""]) expect(out).not.toContain(secret);
  });
});

describe("a revoked token", () => {
  it.each(["name", "id"] as const)("is gone, by its %s, and the others stay", (key) => {
    created("desk", "--scope", "trade");
    created("other", "--scope", "trade");
    run("revoke", records()[0]?.[key] ?? "");
    expect(records().map(({ name }) => name)).toEqual(["other"]);
  });
});

describe("revoked JWTs", () => {
  it("are kept until they have expired, however often the file changes, and listed", () => {
    run("revoke", "--jti", "one", "--expires", "12h");
    run("revoke", "--subject", "desk", "--issued-before", "2026-11-20T12:00:00+01:00", "--expires", "2026-11-21T06:00:00Z");
    created("first", "--scope", "trade");
    run("revoke", "first");
    expect(run("list").out).toContain(
      "jti\tone\tany\t2026-11-21T12:00:00.000Z\nsub\tdesk\t2026-11-20T11:00:00.000Z\t2026-11-21T06:00:00.000Z\n",
    );
    const later = new ManualClock(NOW + 12 * 3_600_000);
    tokenCommand(["revoke", "--jti", "two", "--expires", "12h"], path, later);
    expect(run("list").out).not.toContain("desk");
    expect(run("list").out).toMatch(/jti\tone\t.*\njti\ttwo\t/);
  });
});

describe("a command that cannot be carried out", () => {
  it.each([
    ["no scope", ["create", "desk"], /--scope/],
    ["an unknown scope", ["create", "desk", "--scope", "read"], /no scope read/],
    ["a scope twice", ["create", "desk", "--scope", "trade=main", "--scope", "trade"], /trade is given twice/],
    ["accounts for market data", ["create", "desk", "--scope", "read:market=main"], /not granted per account/],
    ["a name that breaks the rule", ["create", "a desk", "--scope", "trade"], /name: must have/],
    ["an account that cannot be one", ["create", "desk", "--scope", "trade=a b"], /^trade: must be names of accounts/],
    ["an account that is empty", ["create", "desk", "--scope", "trade="], /^trade: must be names of accounts/],
    ["accounts separated by =", ["create", "desk", "--scope", "trade=main=classic"], /^trade: must be names of accounts/],
    ["a revocation of a JWT beside a token", ["revoke", "first", "--jti", "one", "--expires", "1h"], /^--jti has no effect/],
    ["an end of a token's revocation", ["revoke", "first", "--expires", "1h"], /^--expires has no effect/],
    ["a JWT of a new token", ["create", "desk", "--scope", "trade", "--subject", "one"], /^--subject has no effect/],
    ["a list of a scope", ["list", "--scope", "trade"], /^--scope has no effect/],
    ["an empty id of a JWT", ["revoke", "--jti", "", "--expires", "1h"], /^jti: must not be empty$/],
    ["a lifetime that is none", ["create", "desk", "--scope", "trade", "--expires", "soon"], /--expires/],
    ...["0", "101", "1.5", "-1", ""].map((weight): [string, string[], RegExp] => [
      `a weight of ${weight}`,
      ["create", "desk", "--scope", "trade", `--weight=${weight}`],
      /--weight must be/,
    ]),
    ["no token to revoke", ["revoke", "desk"], /no token desk/],
    ["a JWT without an end", ["revoke", "--jti", "one"], /--expires/],
    ["a JWT that has expired", ["revoke", "--jti", "one", "--expires", "2026-11-20T00:00:00Z"], /nothing to revoke/],
    [
      "a time without a zone",
      ["revoke", "--subject", "a", "--issued-before", "2026-11-20", "--expires", "1h"],
      /--issued-before must/,
    ],
    [
      "a day that its month does not have",
      ["revoke", "--subject", "a", "--issued-before", "2026-02-29T00:00:00Z", "--expires", "1h"],
      /--issued-before must/,
    ],
    ["an end on such a day", ["revoke", "--subject", "a", "--expires", "2026-11-31T00:00:00+01:00"], /--expires must/],
    [
      "a JWT by its id and a time",
      ["revoke", "--jti", "one", "--issued-before", "2026-11-20T00:00:00Z", "--expires", "1h"],
      /requires --subject/,
    ],
    ["a JWT by nothing", ["revoke", "--expires", "1h"], /Usage/],
    ["an unknown command", ["grant", "desk"], /Usage/],
    ["an unknown option", ["list", "--all"], /Usage/],
  ])("says why and changes nothing: %s", (_, args, why) => {
    created("first", "--scope", "trade");
    const before = readFileSync(path, "utf8");
    expect(() => run(...args)).toThrow(why);
    expect(readFileSync(path, "utf8")).toBe(before);
    expect(existsSync(`${path}.new`)).toBe(false);
  });

  it("keeps the token of another process that has made the file at the same time", () => {
    moment.task = () => {
      moment.task = () => undefined;
      created("other", "--scope", "trade");
    };
    created("own", "--scope", "trade");
    expect(records().map(({ name }) => name)).toEqual(["other", "own"]);
  });

  it("says so when a name is taken", () => {
    created("desk", "--scope", "trade");
    expect(() => created("desk", "--scope", "earn")).toThrow(/already/);
  });

  it("does not change a file that another command is changing", () => {
    created("desk", "--scope", "trade");
    writeFileSync(`${path}.new`, "");
    expect(() => run("revoke", "desk")).toThrow(/another command is changing the file/);
    expect(existsSync(`${path}.new`)).toBe(true);
    expect(records()).toHaveLength(1);
  });

  it("does not trust a file that others can change", () => {
    created("desk", "--scope", "trade");
    chmodSync(path, 0o622);
    expect(() => run("list")).toThrow(/chmod go-w/);
  });
});
