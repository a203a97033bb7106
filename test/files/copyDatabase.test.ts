import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { copyDatabase } from "../../src/files/copyDatabase.js";

const folder = mkdtempSync(join(tmpdir(), "copy-"));
const path = join(folder, "source.sqlite");
const target = join(folder, "it's a copy.sqlite");
const PAGE = 4_096;
let database: Database.Database;
beforeAll(() => {
  database = new Database(path);
  database.exec("CREATE TABLE numbers (text TEXT NOT NULL) STRICT");
  const insert = database.prepare("INSERT INTO numbers VALUES (?)");
  database.transaction(() => {
    for (let row = 0; row < 2_000; row += 1) insert.run(String(row).padStart(1_000, "0"));
  })();
});
afterAll(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

describe("a copy of a database", () => {
  it("has its content, is for its owner alone, and leaves nothing beside it", () => {
    copyDatabase(database, target);
    const copy = new Database(target);
    expect(copy.prepare("SELECT count(*) AS count FROM numbers").get()).toMatchObject({ count: 2_000 });
    copy.close();
    expect(statSync(target).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).sort()).toEqual(["it's a copy.sqlite", "source.sqlite"]);
    rmSync(target);
  });

  it("is not there where it fails on the way, and the error names it", () => {
    database.close();
    const file = openSync(path, "r+");
    writeSync(file, Buffer.alloc(PAGE, 0xff), 0, PAGE, 300 * PAGE);
    closeSync(file);
    database = new Database(path);
    expect(() => copyDatabase(database, target)).toThrow(`it cannot be copied to ${target}: `);
    expect(readdirSync(folder)).toEqual(["source.sqlite"]);
  });

  it("names a folder that is not there", () => {
    const away = join(folder, "none", "copy.sqlite");
    expect(() => copyDatabase(database, away)).toThrow(`it cannot be copied to ${away}: `);
  });
});
