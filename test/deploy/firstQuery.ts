import { readFileSync } from "node:fs";
import { expect } from "vitest";

const [, FIRST_QUERY = ""] =
  /## A first query\n\n```sh\ncurl [^']*'content-type: application\/json' -d '([^']+)'/.exec(readFileSync("README.md", "utf8")) ??
  [];

/** Asks the README's first query at `url` and expects what the sandbox answers. `send` is `fetch` if left out. */
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
