import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { createClient, type GraphEvent } from "@exchange-graph/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { eventually } from "../support/eventually.js";
import { freePort } from "../support/freePort.js";
import { codeOf } from "../support/pages.js";
import { inNode } from "../support/shortLived.js";
import { type Product, servingProduct } from "./product.js";

let product: Product;
let folder: string;
beforeAll(async () => {
  await mkdir("build", { recursive: true });
  folder = await mkdtemp(join("build", "page-"));
  product = await servingProduct({ PORT: String(await freePort()) });
});
afterAll(async () => {
  await product.stop();
  await rm(folder, { recursive: true });
});

const PLACE_ORDER = `mutation ($input: PlaceOrderInput!) {
  placeOrder(input: $input) { outcome isReplay orderId userErrors { code message } }
}`;
interface Placed {
  readonly placeOrder: { readonly isReplay: boolean; readonly orderId: string | null };
}
const input = {
  account: "main",
  category: "SPOT",
  symbol: "BTCUSDT",
  side: "BUY",
  orderType: "LIMIT",
  qty: "0.001",
  price: "50000",
};

describe("the client's page", () => {
  it("has programs that run as printed", async () => {
    const { host } = new URL(product.url);
    const printed = await Promise.all(
      codeOf("clientPrograms").map(async (code, at) => {
        const file = join(folder, `program${at}.mjs`);
        await writeFile(file, code.replaceAll("127.0.0.1:4000", host));
        const [program, ...words] = inNode(file);
        return (await promisify(execFile)(program, words, { timeout: 30_000 })).stdout;
      }),
    );
    const decimals = "64,250.13\n0.001\n+0.04 %\n0.3\n1\n";
    expect(printed).toEqual([
      "0 main\n",
      expect.stringMatching(/^true\naccepted \d+\n$/),
      expect.stringMatching(/^\d+(\.\d+)? snapshot false \d+ null\n$/),
      "main\n",
      decimals,
      "main\n",
      "main\n",
    ]);
  });

  it("has a configuration by which codegen types a document of a front end", async () => {
    const [config = ""] = codeOf("codegenConfig");
    await writeFile(join(folder, "codegen.ts"), config.replace("127.0.0.1:4000", new URL(product.url).host));
    await mkdir(join(folder, "src"));
    await writeFile(join(folder, "src/mine.graphql"), "query Mine { account { totalEquity mode } }");
    const [program, ...words] = inNode(resolve("node_modules/.bin/graphql-codegen"), "--config", "codegen.ts");
    await promisify(execFile)(program, words, { cwd: folder });
    const typed = await readFile(join(folder, "src/generated/graphql.ts"), "utf8");
    expect(typed).toMatch(/account: \{ totalEquity: string \| null, mode: AccountMode/);
    expect(typed).toContain("export const MineDocument = new TypedDocumentString(`");
  });
});

describe("the client in front of the product", () => {
  it("makes one write of a user's action whose answers are lost", async () => {
    let requests = 0;
    const client = createClient({
      url: `${product.url}/graphql`,
      async fetch(...asked) {
        const answer = await fetch(...asked);
        requests += 1;
        if (requests < 3) throw new TypeError("the answer is lost");
        return answer;
      },
    });
    const placed = await client.write<Placed, { readonly input: typeof input }>(PLACE_ORDER, { input });
    expect(placed).toMatchObject({ outcome: "accepted", payload: { isReplay: true } });
    const journal = "{ account { journal(first: 50) { nodes { idempotencyKey } } } }";
    const { data } = await client.query<Journal, object>(journal);
    expect(data?.account.journal.nodes.filter(({ idempotencyKey }) => idempotencyKey === placed.key)).toHaveLength(1);
  });

  it("goes on when the gateway is killed and comes back, and says what is missing", async () => {
    const { port } = new URL(product.url);
    const client = createClient({ url: `${product.url}/graphql`, webSocket: WebSocket });
    const events: GraphEvent<unknown>[] = [];
    const text = 'subscription { ticker(category: USDT_FUTURES, symbol: "BTCUSDT") { ticker { lastPrice } } }';
    const leave = client.subscribe(text, {}, { next: (event) => events.push(event) });
    await eventually(() => events.length > 1);
    await product.stop("SIGKILL");
    const before = events.at(-1)?.time;
    product = await servingProduct({ PORT: port });
    const count = events.length;
    await eventually(() => events.length > count);
    expect(events[count]).toMatchObject({ kind: "snapshot", stale: false, gap: { since: before } });
    leave();
    client.dispose();
  });
});

interface Journal {
  readonly account: { readonly journal: { readonly nodes: readonly { readonly idempotencyKey: string }[] } };
}
