import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Pool } from "undici";
import { report } from "../../child.js";

/**
 * The baseline: accepts the same requests, and answers with the upstream's JSON. The list of symbols is cached; all other
 * requests are forwarded.
 */
const [upstream = ""] = process.argv.slice(2);
const pool = new Pool(upstream, { connections: 64 });
const forward = async (path: string): Promise<string> => (await pool.request({ method: "GET", path })).body.text();
const symbols = await forward("/api/v2/spot/public/symbols");
const bytes = Buffer.from(symbols.slice(0, 6_000));

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", async () => {
    response.setHeader("content-type", "application/json");
    const isCached = Buffer.concat(chunks).includes("spotSymbols");
    response.end(isCached ? bytes : await forward("/api/v2/earn/loan/ongoing-orders"));
  });
});
server.listen(0, "127.0.0.1", () => report(`http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`));
