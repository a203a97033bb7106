import { ManualClock } from "@exchange-graph/contract/clock";
import { beforeAll, describe, expect, it } from "vitest";
import { startSandbox } from "../src/sandbox.js";
import { openExchange, type SandboxExchange } from "../src/sandboxExchange.js";

const NOW = 1_767_225_600_000;
const HOUR_MS = 3_600_000;

interface Opened extends SandboxExchange {
  readonly clock: ManualClock;
}
function opened(seed: string): Opened {
  const clock = new ManualClock(NOW);
  return { ...openExchange({ clock, seed }), clock };
}
const digest = ({ world }: SandboxExchange): string => world.state.ledger.digest();

describe("an exchange", () => {
  let one: Opened;
  let same: Opened;
  let other: Opened;
  beforeAll(() => {
    one = opened("a");
    same = opened("a");
    other = opened("b");
  });

  it("is the same down to every posting when seed and clock are the same", () => {
    expect(digest(one)).toBe(digest(same));
    expect(digest(one)).not.toBe(digest(other));
  });

  it("stays the same over time, whether it is looked at once or often", () => {
    one.clock.advance(26 * HOUR_MS);
    one.world.advance();
    for (let hour = 0; hour < 26; hour++) {
      same.clock.advance(HOUR_MS);
      same.world.advance();
    }
    expect(digest(one)).toBe(digest(same));
  });

  it("pays interest and settles what falls due as time passes, and makes no coin by it", () => {
    const { ledger } = one.world.state;
    expect(one.services.savings.records.of("8800112233").some(({ createdTime }) => createdTime > NOW)).toBe(true);
    for (const [coin, made] of ledger.supply()) expect([coin, ledger.total(coin).toFixed()]).toEqual([coin, made.toFixed()]);
  });
});

describe("a sandbox", () => {
  it("creates its world at the first request, equal to one created at the start", async () => {
    const clock = new ManualClock(NOW);
    const sandboxes = await Promise.all([startSandbox({ clock, seed: "a" }), startSandbox({ clock, seed: "a" })]);
    const digests = [digest(sandboxes[0])];
    clock.advance(3 * HOUR_MS);
    for (const { world } of sandboxes) world.advance();
    digests.push(...sandboxes.map(digest));
    expect(digests[2]).toBe(digests[1]);
    expect(digests[1]).not.toBe(digests[0]);
    await Promise.all(sandboxes.map((sandbox) => sandbox.close()));
  });
});
