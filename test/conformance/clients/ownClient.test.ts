import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { ApolloServerErrorCode } from "@apollo/server/errors";
import { ERROR_CODES } from "@exchange-graph/client";
import { build } from "vite";
import { describe, expect, it } from "vitest";
import { graphTypes } from "../../../packages/client/printGraphTypes.js";
import { POSSIBLE_TYPES, WITHOUT_ID } from "../../../packages/client/src/graphTypes.js";
import { FAULTS } from "../../../src/datasources/fault.js";

describe("what the client knows of the graph", () => {
  it("are the codes that errors have, and three of its own", () => {
    const expected = [...Object.keys(FAULTS), ...Object.values(ApolloServerErrorCode), "UNREACHABLE", "TIMED_OUT", "BAD_ANSWER"];
    expect([...ERROR_CODES].sort()).toEqual([...new Set(expected)].sort());
  });

  it("are the types of the schema: npm run schema prints them", () => {
    const { possibleTypes, withoutId } = graphTypes(readFileSync("schema.graphql", "utf8"));
    expect({ possibleTypes: POSSIBLE_TYPES, withoutId: WITHOUT_ID }).toEqual({ possibleTypes, withoutId });
  });
});

describe("the size of the client", () => {
  it("is at most 8 kB, gzipped, all of it without the caches", async () => {
    const built = await build({
      configFile: false,
      logLevel: "silent",
      build: {
        write: false,
        minify: true,
        rolldownOptions: { input: "packages/client/src/index.ts", preserveEntrySignatures: "strict" },
      },
    });
    if (!("output" in built)) throw new Error("it was not built once");
    const { code, exports } = built.output[0];
    expect(exports).toContain("createClient");
    expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(8_000);
  });
});
