import { afterEach, describe, expect, it, vi } from "vitest";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** Lets the storages of the browser be these while the desk's modules are loaded and used. */
async function withStorage(storage: Partial<Storage> | (() => never)) {
  // Another file of the worker may have loaded them.
  vi.resetModules();
  vi.stubGlobal("document", { visibilityState: "hidden" });
  for (const name of ["localStorage", "sessionStorage"]) {
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
  getItem: () => JSON.stringify({ theme: "dark", account: "main" }),
  setItem() {
    throw new DOMException("exceeded the quota", "QuotaExceededError");
  },
};
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

describe("a browser that blocks storage", () => {
  it("has the default settings, which can be changed", async () => {
    const { change, settings, areStored } = await withStorage(blocked);
    expect(settings.value.account).toBeNull();
    change({ account: "classic" });
    expect(settings.value.account).toBe("classic");
    expect(areStored.value).toBe(false);
  });
});
