import { get as httpGet } from "node:http";
import { serverAudits } from "graphql-http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TinyGateway, tinyGateway } from "../support/gateway/tinyGateway.js";

let tiny: TinyGateway;
beforeAll(async () => {
  tiny = await tinyGateway();
});
afterAll(() => tiny.gateway.stop());

const audits = serverAudits({ url: () => `${tiny.url}/graphql` });

describe("GraphQL over HTTP, as the audits of graphql-http judge it, with the guard against forged requests on", () => {
  it("has as many audits as it is said to have", () => {
    expect(audits).toHaveLength(61);
  });

  it.each(audits.map(({ id, name, fn }) => [id, name, fn] as const))("%s %s", async (_id, _name, audit) => {
    expect(await audit()).toMatchObject({ status: "ok" });
  });
});

describe("a GET without a header that needs a preflight", () => {
  const get = (headers: Record<string, string>) =>
    new Promise<number | undefined>((resolve, reject) => {
      // Not `fetch`, because it adds headers.
      httpGet(`${tiny.url}/graphql?query=${encodeURIComponent("{ hello }")}`, { headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).on("error", reject);
    });

  it.each<[string, Record<string, string>, number]>([
    ["of a page of this server's", { "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors" }, 200],
    ["typed by the user", { "sec-fetch-site": "none", "sec-fetch-mode": "navigate" }, 200],
    ["of Node's fetch", { "sec-fetch-mode": "cors" }, 200],
    ["of a page of another server's", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" }, 400],
    ["of a page of a neighbour's", { "sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors" }, 400],
    [
      "of a page of another server's that says no more than whose it is",
      { origin: "https://evil.example", "sec-fetch-mode": "cors" },
      400,
    ],
    ["of an old browser, or of a program", { "user-agent": "Mozilla/5.0" }, 400],
  ])("%s", async (_, headers, status) => {
    expect(await get(headers)).toBe(status);
  });
});
