import { Pool } from "undici";
import { report } from "../child.js";
import { historyBody, largestBody } from "./documents.js";

/**
 * A client that requests as much as its quotas allow, starting with the first message: three of the largest queries at a time,
 * or 150 order histories at a time, each of which takes a separate call to the exchange.
 */
const [url = "", token = "", attack = ""] = process.argv.slice(2);
const HISTORIES = 150;
const LARGEST = 3;

const pool = new Pool(new URL(url).origin, { connections: HISTORIES });
const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
let turn = 0;
async function ask(body: (turn: number) => string): Promise<never> {
  for (;;) {
    const answer = await pool.request({ method: "POST", path: "/graphql", headers, body: body(turn++) });
    await answer.body.dump({ limit: Number.POSITIVE_INFINITY });
  }
}

process.on("message", (message) => {
  if (typeof message !== "number") return;
  const [times, body] = attack === "largest" ? [LARGEST, largestBody] : [HISTORIES, historyBody];
  for (let at = 0; at < times; at++) void ask(body);
});
report(url);
