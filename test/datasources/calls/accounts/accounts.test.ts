import { describe, expect, it } from "vitest";
import { Accounts } from "../../../../src/datasources/calls/accounts/accounts.js";
import { Secret } from "../../../../src/datasources/index.js";
import { accountNamed } from "../../../support/exchangeOver.js";

const withKey = (name: string, key: string) =>
  accountNamed(name, { credentials: { ...accountNamed(name).credentials, apiKey: new Secret(key) } });
const names = (accounts: readonly { readonly name: string }[]) => accounts.map(({ name }) => name);

/** The names in a change, by kind. */
function changeOf(accounts: Accounts, next: Parameters<Accounts["replace"]>[0]) {
  const { added, changed, removed } = accounts.replace(next);
  return { added: names(added), changed: names(changed), removed: names(removed) };
}

describe("accounts that are replaced", () => {
  it("report what has changed, and nothing else", () => {
    const accounts = new Accounts([accountNamed("main"), accountNamed("classic")]);
    const heard: unknown[] = [];
    accounts.onChange((change) => heard.push(change));
    expect(changeOf(accounts, [accountNamed("classic"), accountNamed("main")])).toEqual({ added: [], changed: [], removed: [] });
    expect(heard).toEqual([]);
    expect(changeOf(accounts, [withKey("main", "another"), accountNamed("desk")])).toEqual({
      added: ["desk"],
      changed: ["main"],
      removed: ["classic"],
    });
    expect(changeOf(accounts, [withKey("main", "another"), accountNamed("desk", { isCopyTrader: true })]).changed).toEqual([
      "desk",
    ]);
    expect(heard).toHaveLength(2);
  });

  it("stay the same objects, with the current key", () => {
    const accounts = new Accounts([accountNamed("main")]);
    const held = accounts.find("main");
    accounts.replace([withKey("main", "another")]);
    expect(accounts.find("main")).toBe(held);
    expect(held?.credentials.apiKey.reveal()).toBe("another");
  });

  it("sign nothing once they are removed, and go on when they come back", () => {
    const accounts = new Accounts([accountNamed("main"), accountNamed("classic")]);
    const held = accounts.find("classic");
    accounts.replace([accountNamed("main")]);
    expect(accounts.find("classic")).toBeUndefined();
    expect(() => held?.credentials).toThrow("classic is no longer an account of this gateway; nothing was sent");
    accounts.replace([accountNamed("main"), withKey("classic", "another")]);
    expect(accounts.find("classic")).toBe(held);
    expect(held?.credentials.apiKey.reveal()).toBe("another");
  });

  it("keep their order: the first one stays it as long as it is there", () => {
    const accounts = new Accounts([accountNamed("main"), accountNamed("classic")]);
    accounts.replace([accountNamed("desk"), accountNamed("classic"), accountNamed("main")]);
    expect(names(accounts.all)).toEqual(["main", "classic", "desk"]);
    expect(accounts.find()?.name).toBe("main");
    accounts.replace([accountNamed("desk"), accountNamed("classic")]);
    expect(accounts.find(null)?.name).toBe("classic");
  });
});
