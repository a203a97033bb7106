import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { ApolloServerErrorCode } from "@apollo/server/errors";
import { createClient, ERROR_CODES, type QueryResult, type WriteResult } from "@exchange-graph/client";
import { frontEnd } from "@exchange-graph/client/codegen";
import * as documents from "@exchange-graph/client/documents";
import { parse, print } from "graphql";
import { build } from "vite";
import { describe, expect, expectTypeOf, it } from "vitest";
import { WebSocket } from "ws";
import { parse as parseYaml } from "yaml";
import { FAULTS } from "../../../src/datasources/errors/fault.js";
import { TrustedDocuments } from "../../../src/engine/documents/trustedDocuments.js";
import { EXAMPLES } from "../../support/examples.js";
import { tinyGateway } from "../../support/gateway/tinyGateway.js";

describe("what the client knows of the graph", () => {
  it("includes the codes of all errors, and three codes of the client", () => {
    const expected = [...Object.keys(FAULTS), ...Object.values(ApolloServerErrorCode), "UNREACHABLE", "TIMED_OUT", "BAD_ANSWER"];
    expect([...ERROR_CODES].sort()).toEqual([...new Set(expected)].sort());
  });
});

describe("the client's typed documents", () => {
  const printed = Object.entries(documents).flatMap(([name, document]) =>
    document instanceof documents.TypedDocumentString ? [{ name, text: String(document), hash: document.__meta__?.hash }] : [],
  );
  const reading = (text: string) => print(parse(text));

  it("are the examples", () => {
    expect(printed.map(({ text }) => reading(text)).sort()).toEqual(EXAMPLES.map(({ text }) => reading(text)).sort());
  });

  it("and the other outputs have the settings that a front end's own get", () => {
    const { generates } = parseYaml(readFileSync("codegen.yml", "utf8"), { merge: true }) as {
      generates: Record<string, Record<string, unknown>>;
    };
    const outputs = Object.values(generates).map(({ preset, presetConfig, config }) => ({ preset, presetConfig, config }));
    expect(outputs).toEqual([
      // The preset `client`, with documents that a bundler may leave out.
      { ...frontEnd({ trustedDocuments: true }), preset: "./packages/client/pureDocuments.js" },
      frontEnd({ documentMode: "documentNode", trustedDocuments: true }),
      frontEnd(),
    ]);
  });

  it("give the client's answers their types", () => {
    const client = createClient({ url: "http://127.0.0.1/graphql" });
    expectTypeOf(() => client.query(documents.PortfolioDocument)).returns.resolves.toEqualTypeOf<
      QueryResult<documents.PortfolioQuery>
    >();
    expectTypeOf(() => client.write(documents.CancelOrderDocument, { orderId: "1" })).returns.resolves.toEqualTypeOf<
      WriteResult<NonNullable<documents.CancelOrderMutation["cancelOrder"]>>
    >();
    // @ts-expect-error: the order to cancel is required
    expectTypeOf(() => client.write(documents.CancelOrderDocument, {})).toBeFunction();
  });

  it("are sent by their hashes to a gateway that trusts them, over HTTP and over a socket", async () => {
    const text = "query Hello { hello }";
    const hash = `sha256:${createHash("sha256").update(text).digest("hex")}`;
    const tiny = await tinyGateway({ trusted: new TrustedDocuments(JSON.stringify({ [hash]: text })) });
    const client = createClient({ url: `${tiny.url}/graphql`, trustedDocuments: true, webSocket: WebSocket });
    // As codegen writes it, with whitespace that the hash does not cover.
    const hello = new documents.TypedDocumentString(`\n  ${text}`, { hash });
    expect((await client.query(hello)).errors).toEqual([]);
    expect((await client.query(text.replace("Hello", "Other"))).errors).toMatchObject([{ code: "FORBIDDEN" }]);
    for await (const { data, errors } of client.events(hello)) expect([data, errors]).toEqual([expect.anything(), []]);
    client.dispose();
    await tiny.gateway.stop();
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
