import { readFileSync } from "node:fs";
import { expect } from "vitest";

const [, FIRST_QUERY = ""] =
  /## A first query\n\n```sh\ncurl [^']*'content-type: application\/json' -d '([^']+)'/.exec(readFileSync("README.md", "utf8")) ??
  [];

/** Sends the README's first query to `url` and expects the sandbox's response. `send` defaults to `fetch`. */
export async function expectFirstAnswer(url: string, send: (url: string, init: RequestInit) => Promise<Response> = fetch) {
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: FIRST_QUERY };
  const answer = await (await send(`${url}/graphql`, init)).json();
  expect(answer).toEqual({
    data: {
      accounts: ["main", "classic", "broker"].map((name) => expect.objectContaining({ name, mode: expect.any(String) })),
      account: { positions: expect.any(Array) },
    },
  });
}
