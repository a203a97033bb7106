import { describe, expect, it } from "vitest";
import { type ExchangeAccount, Secret } from "../../src/datasources/index.js";
import { allOwnedBy } from "../../src/resolvers/accountScoped.js";

const account = (name: string): ExchangeAccount => ({
  name,
  credentials: { apiKey: new Secret("key"), apiSecret: new Secret("secret"), passphrase: new Secret("passphrase") },
  isCopyTrader: false,
});

describe("A list of an account's records", () => {
  const [mine, theirs] = [account("mine"), account("theirs")];
  const rows = [{ symbol: "BTCUSDT" }];

  it("says whose they are, and leaves what was read as it was", () => {
    expect(allOwnedBy(mine, rows)).toEqual([{ symbol: "BTCUSDT", account: mine }]);
    expect(rows).toEqual([{ symbol: "BTCUSDT" }]);
  });

  it("is never handed out with another account's mark", () => {
    for (const owner of [mine, theirs, mine, theirs]) expect(allOwnedBy(owner, rows)[0]?.account).toBe(owner);
  });
});
