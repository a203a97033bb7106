import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { loaded } from "../../../apps/desk/src/ui/parts.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("a part of the page that cannot be loaded while the gateway is away is asked for until it is there", async () => {
  const load = vi
    .fn()
    .mockRejectedValueOnce(new TypeError("Failed to fetch"))
    .mockRejectedValueOnce(new TypeError("Failed to fetch"));
  load.mockResolvedValue("part");
  const part = loaded(load);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await part).toBe("part");
  expect(load).toHaveBeenCalledTimes(3);
});
