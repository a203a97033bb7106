import { afterEach, describe, expect, it, vi } from "vitest";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** Lets the storages of the browser and of the tab be these while the desk's modules are loaded and used. */
async function withStorage(browser: Partial<Storage> | (() => never), tab = browser) {
  // Another file of the worker may have loaded them.
  vi.resetModules();
  vi.stubGlobal("document", { visibilityState: "hidden" });
  for (const [name, storage] of [
    ["localStorage", browser],
    ["sessionStorage", tab],
  ] as const) {
    vi.stubGlobal(name, undefined);
    Object.defineProperty(globalThis, name, {
      configurable: true,
      get: () => (typeof storage === "function" ? storage() : storage),
    });
  }
  const { change, settings, areStored } = await import("../../../apps/desk/src/state/settings.js");
  const { sample, samples } = await import("../../../apps/desk/src/live/samples.js");
  return { change, settings, areStored, sample, samples };
}

const full = {
  getItem: (key: string) => ({ "desk.theme": '"dark"', "desk.account": '"main"' })[key] ?? null,
  setItem() {
    throw new DOMException("exceeded the quota", "QuotaExceededError");
  },
};
const storageOf = (stored: Map<string, string>): Partial<Storage> => ({
  getItem: (key) => stored.get(key) ?? null,
  setItem: (key, text) => void stored.set(key, text),
});
const blocked = (): never => {
  throw new DOMException("Access is denied for this document.", "SecurityError");
};

describe("a browser whose storage is full", () => {
  it("loses settings with the tab, and none before: another account is chosen, and the theme stays", async () => {
    const { change, settings, areStored } = await withStorage(full);
    expect(settings.value).toMatchObject({ theme: "dark", account: "main" });
    change({ theme: "light" });
    change({ account: "classic" });
    expect(settings.value).toMatchObject({ theme: "light", account: "classic" });
    expect(areStored.value).toBe(false);
  });

  it("still has the curve of an account", async () => {
    const { sample, samples } = await withStorage(full);
    sample("main", { time: 1_800_000_000_000, value: "1" });
    expect(samples.value.get("main")).toEqual([{ time: 1_800_000_000_000, value: "1" }]);
  });
});

describe("the settings of several tabs", () => {
  it("stay what another tab has chosen at the same moment: only the changed ones are stored", async () => {
    const stored = new Map([["desk.theme", '"dark"']]);
    const { change } = await withStorage(storageOf(stored), storageOf(new Map()));
    stored.set("desk.theme", '"light"');
    change({ market: "SPOT/BTCUSDT" });
    expect([...stored]).toEqual([
      ["desk.theme", '"light"'],
      ["desk.market", '"SPOT/BTCUSDT"'],
    ]);
  });

  it("keep each tab's account and market when it is loaded again, and begin with the last choice in a new one", async () => {
    const [browser, first, second] = [new Map<string, string>(), new Map<string, string>(), new Map<string, string>()];
    const load = async (tab: Map<string, string>) => withStorage(storageOf(browser), storageOf(tab));
    await load(first);
    const other = await load(second);
    other.change({ account: "classic", market: "SPOT/ETHUSDT", interval: "DAY", zone: "UTC" });
    const unchosen = { account: null, market: "USDT_FUTURES/BTCUSDT", interval: "MINUTES_15", zone: "UTC" };
    expect((await load(first)).settings.value).toMatchObject(unchosen);
    const chosen = { account: "classic", market: "SPOT/ETHUSDT", interval: "DAY", zone: "UTC" };
    expect((await load(second)).settings.value).toMatchObject(chosen);
    expect((await load(new Map())).settings.value).toMatchObject(chosen);
  });

  it("are those of an earlier version until they are changed, without what cannot be read", async () => {
    const stored = new Map([
      ["desk", JSON.stringify({ theme: "dark", zone: "Mars", confirmAbove: "250", account: "main" })],
      ["desk.theme", '"light"'],
      ["desk.confirmAbove", "{"],
    ]);
    const { settings } = await withStorage(storageOf(stored), storageOf(new Map()));
    expect(settings.value).toMatchObject({ theme: "light", zone: "local", confirmAbove: "250", account: "main" });
  });
});

describe("a browser that blocks storage", () => {
  it("has the default settings, which can be changed", async () => {
    const { change, settings, areStored } = await withStorage(blocked);
    expect(settings.value.account).toBeNull();
    change({ account: "classic" });
    expect(settings.value.account).toBe("classic");
    expect(areStored.value).toBe(false);
  });
});
