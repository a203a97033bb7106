import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { ManualClock } from "@exchange-graph/contract/clock";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MAX_UNRELEASED, unreleased } from "../../deploy/release/changelog.js";
import { readTokenFile } from "../../src/access/tokens/tokenFile.js";
import { checkJournal } from "../../src/datasources/writes/journal/sqlite/maintenance.js";
import { VERSION } from "../../src/datasources/writes/journal/sqlite/migrations.js";
import { SqliteJournal } from "../../src/datasources/writes/journal/sqlite/sqliteJournal.js";
import { inNode } from "../support/shortLived.js";

/** Time at which the fixtures were written. */
const LEFT_AT = Date.UTC(2026, 10, 22, 12);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "release-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("npm run schema:check", () => {
  const before = "type Query { price(symbol: String!): String }\nenum Side { BUY SELL }\n";
  const check = (...words: readonly string[]) => {
    const [program, ...command] = inNode("deploy/release/schemaCheck.js", ...words);
    const { status, stdout, stderr } = spawnSync(program, command, { encoding: "utf8" });
    return { status, output: stdout + stderr };
  };
  /** The last of these releases has the schema `before`. */
  const successor = (now: string, version: string, releases: readonly string[]) => {
    const kept = mkdtempSync(join(folder, "releases-"));
    for (const old of releases) mkdirSync(join(kept, old));
    writeFileSync(join(kept, releases.at(-1) ?? "", "schema.graphql"), before);
    writeFileSync(join(kept, "now.graphql"), now);
    return check("--releases", kept, "--schema", join(kept, "now.graphql"), "--version", version);
  };
  const BROKEN = "type Query { price(symbol: String!, side: Side!): Int, cost: Int }\nenum Side { BUY HOLD }\n";
  const NAMED = ["Query.price", "Query.price.side", "Side.SELL"];

  it("accepts this tree's schema as the successor of the last release's", () => {
    expect(check()).toEqual({
      status: 0,
      output: expect.stringMatching(/schema\.graphql is compatible with the schema of \d+\.\d+\.\d+ as required for version /),
    });
  });

  it("permits text to become a word of an enum: documents and what they read stay valid", () => {
    const now = "type Query { price(symbol: String!): Side }\nenum Side { BUY SELL }\n";
    const { status, output } = successor(now, "1.2.1", ["1.2.0"]);
    expect([status, output]).toEqual([0, expect.stringMatching(/^Dangerous [^\n]*\n {2}Query\.price: .*'String' to 'Side'/m)]);
  });

  it("lists what is deprecated, by its coordinate, with what to use instead", () => {
    const now = `type Query { price(symbol: String!, side: Side @deprecated(reason: "Use both")): String @deprecated(reason: "Use \`prices\`") }
      enum Side { BUY SELL @deprecated(reason: "Use BUY") }
      input Order { qty: Int @deprecated(reason: "Use \`size\`") }`;
    expect(successor(now, "0.11.0", ["0.10.0"]).output).toContain(
      [
        "Deprecated:",
        "  Order.qty: Use `size`",
        "  Query.price(side:): Use both",
        "  Query.price: Use `prices`",
        "  Side.SELL: Use BUY\n",
      ].join("\n"),
    );
    expect(check().output).toContain("  MarginPair.isBorrowable: Use `borrowable`");
  });

  it.each([
    [
      "refuses what breaks in a minor version from 1.0 on",
      "1.3.0",
      ["1.2.0"],
      1,
      "1.3.0 must not have breaking changes against the schema of 1.2.0",
    ],
    ["takes it in a major version", "2.0.0", ["1.2.0"], 0, "compatible with the schema of 1.2.0 as required for version 2.0.0"],
    [
      "takes it in a minor version before 1.0",
      "0.11.0",
      ["0.1.0", "0.9.2", "0.10.0"],
      0,
      "compatible with the schema of 0.10.0 as required for version 0.11.0",
    ],
  ] as const)("%s, and names each change", (_, version, releases, status, end) => {
    const { status: ended, output } = successor(BROKEN, version, releases);
    expect([ended, output]).toEqual([status, expect.stringContaining(end)]);
    const [, mentioned = "", breaks = ""] =
      /^Dangerous changes[^\n]*\n([\s\S]*)^Breaking changes[^\n]*\n([\s\S]*)^\S/m.exec(output) ?? [];
    expect(mentioned).toContain("Side.HOLD: ");
    for (const name of NAMED) expect(breaks).toContain(`${name}: `);
  });

  it("has the schema and the commit of every release that the repository keeps", () => {
    for (const release of readdirSync("releases"))
      expect(readdirSync(join("releases", release)).sort()).toEqual(["commit", "schema.graphql"]);
  });
});

describe("the changelog", () => {
  it("keeps the changes that are not released yet short enough to be read", () => {
    expect(Buffer.byteLength(unreleased(readFileSync("CHANGELOG.md", "utf8")))).toBeLessThanOrEqual(MAX_UNRELEASED);
  });

  it("has a dated section for each release that the repository keeps", () => {
    const text = readFileSync("CHANGELOG.md", "utf8");
    for (const release of readdirSync("releases"))
      expect(text).toMatch(new RegExp(`^## ${release} - \\d{4}-\\d\\d-\\d\\d$`, "m"));
  });
});

describe("npm run release:prepare", () => {
  it("dates the changes, and stores schema, commit, journal and clients of this version; a second run changes nothing", async () => {
    const tree = mkdtempSync(join(folder, "tree-"));
    writeFileSync(join(tree, "CHANGELOG.md"), "# Changelog\n\n## Unreleased\n\n- A change\n\n## 0.1.0 - 2026-11-22\n\n- First\n");
    writeFileSync(join(tree, "schema.graphql"), "type Query { a: Int }\n");
    cpSync("test/fixtures/releases/0.1.0", join(tree, "test/fixtures/releases/0.1.0"), { recursive: true });
    const [program, ...words] = inNode(
      "deploy/release/prepare.js",
      "--folder",
      tree,
      "--version",
      "0.9.0",
      "--date",
      "2027-01-02",
    );
    for (let runs = 0; runs < 2; runs++) {
      execFileSync(program, words);
      expect(readFileSync(join(tree, "CHANGELOG.md"), "utf8")).toBe(
        "# Changelog\n\n## Unreleased\n\n## 0.9.0 - 2027-01-02\n\n- A change\n\n## 0.1.0 - 2026-11-22\n\n- First\n",
      );
      expect(readdirSync(join(tree, "releases/0.9.0")).sort()).toEqual(["commit", "schema.graphql"]);
      expect(readdirSync(join(tree, "test/fixtures/releases/0.9.0"))).toEqual(["clients.json", "journal.sqlite"]);
    }
    const path = join(tree, "test/fixtures/releases/0.9.0/journal.sqlite");
    expect(checkJournal(path, LEFT_AT)).toMatchObject({ version: VERSION, problems: [] });
    const journal = new SqliteJournal({ path, realm: "live", clock: new ManualClock(LEFT_AT) });
    const entries = await journal.page("1001", undefined, 10);
    expect(entries.map(({ key, state }) => [key, state])).toEqual([
      ["unknown", "UNKNOWN"],
      ["rejected", "REJECTED"],
      ["accepted", "ACCEPTED"],
    ]);
    await journal.close();
  });
});

describe.each(readdirSync("test/fixtures/releases"))("what a gateway of %s has left", (release) => {
  const copied = (name: string): string => {
    const path = join(mkdtempSync(join(folder, "left-")), name);
    copyFileSync(resolve("test/fixtures/releases", release, name), path);
    chmodSync(path, 0o600);
    return path;
  };

  it("its journal opens, with every entry and its end", async () => {
    const path = copied("journal.sqlite");
    const journal = new SqliteJournal({ path, realm: "live", clock: new ManualClock(LEFT_AT) });
    const entries = await journal.page("1001", undefined, 10);
    expect(entries.map(({ key, state, who }) => [key, state, who])).toEqual([
      ["unknown", "UNKNOWN", "token:trader"],
      ["rejected", "REJECTED", "token:trader"],
      ["accepted", "ACCEPTED", null],
    ]);
    expect(await journal.find("1001", "rejected")).toMatchObject({
      ...{ account: "main", mutation: "placeOrder", endpoint: "placeOrder", clientOid: "oid-rejected" },
      problem: { code: "INSUFFICIENT_BALANCE", exchange: { code: "43012" } },
      values: { symbol: "BTCUSDT", qty: "0.1" },
      traceparent: null,
    });
    expect((await journal.open()).map(({ key }) => key)).toEqual(["unknown"]);
    expect(await journal.userOf("digest-of-a-key")).toBe("1001");
    await journal.close();
  });

  it("its tokens are read as they were", () => {
    expect(readTokenFile(copied("clients.json"))).toEqual({
      content: {
        tokens: [
          {
            id: "dFxmWkqz",
            name: "dashboard",
            hash: "kFbXGH4dMYVfx8H6mLM4LwJoiTfCAsFmYsxWb6Ie8eM",
            scopes: { "read:market": "*", "read:account": ["main", "desk"] },
            createdAt: "2026-11-22T00:00:00.000Z",
            expiresAt: "2027-11-22T00:00:00.000Z",
          },
          {
            id: "pQ2r_s-T",
            name: "trader",
            hash: "Z1YtQ9aSx2pLr7cEo5vKd8uNw3mBh6jTg4fRi0yXkU8",
            scopes: { trade: ["main"] },
            weight: 4,
            createdAt: "2026-11-22T00:00:00.000Z",
          },
        ],
      },
    });
  });
});
