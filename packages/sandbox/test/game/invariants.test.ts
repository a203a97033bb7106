import { ManualClock } from "@exchange-graph/contract/clock";
import { describe, expect, it } from "vitest";
import { openExchange } from "../../src/sandboxExchange.js";
import { presentUnifiedMargin } from "../../src/world/margin/present.js";
import { unifiedMargin } from "../../src/world/margin/unified.js";
import { START } from "../world/support.js";
import { audit, Tally } from "./audit.js";
import { BODIES } from "./bodies.js";
import { PLAYERS, Player, WRITES } from "./player.js";

/** A thousand calls each. */
const ROUNDS = Number.parseInt(process.env.GAME_ROUNDS ?? "3", 10);

function game(seed: string, cuts = 1) {
  const clock = new ManualClock(START);
  const exchange = openExchange({ clock, seed });
  return { exchange, tally: new Tally(exchange.world), player: new Player(exchange, clock, seed, cuts) };
}

describe("whatever is called", () => {
  it("the books balance, frozen coins are what is needed, positions are what was filled", { timeout: 10_000 * ROUNDS }, () => {
    const { exchange, tally, player } = game("balance");
    for (let round = 0; round < ROUNDS; round++) {
      player.play(1_000);
      audit(exchange, tally);
    }
    // The game must have had everything in it, or it proves little.
    expect(WRITES.map(({ name }) => name).filter((name) => !player.done.has(name))).toEqual([]);
    expect([...player.done.values()].reduce((sum, count) => sum + count)).toBeGreaterThan(300 * ROUNDS);
    expect(player.refusals.size).toBeGreaterThan(40);
    const { positions, orders } = exchange.world.state;
    expect(PLAYERS.every((uid) => positions.closed(uid).length > 5 && orders.fills(uid).length > 10 * ROUNDS)).toBe(true);
    expect(PLAYERS.flatMap((uid) => exchange.world.planStore.ended(uid)).some(({ status }) => status === "executed")).toBe(true);
  });

  it("everything that writes is called", () => {
    expect(Object.keys(BODIES).sort()).toEqual(WRITES.map(({ name }) => name).sort());
  });

  it("cached figures equal computed ones", { timeout: 60_000 }, () => {
    const { exchange, player } = game("remembered");
    const { state } = exchange.world;
    player.play(1_000, (uid) => {
      presentUnifiedMargin(state, uid);
      return () => expect(JSON.stringify(presentUnifiedMargin(state, uid))).toBe(JSON.stringify(unifiedMargin(state, uid)));
    });
  });

  it("replaying the seed gives equal books, however the clock's steps are cut up", { timeout: 120_000 }, () => {
    const results = [1, 4].map((cuts) => {
      const { exchange, player } = game("replay", cuts);
      const { ledger, ids } = exchange.world.state;
      player.play(1_000);
      return { digest: ledger.digest(), posted: ledger.posted, id: ids.next() };
    });
    expect(results[1]).toEqual(results[0]);
    const other = game("another");
    other.player.play(100);
    expect(other.exchange.world.state.ledger.digest()).not.toBe(results[0]?.digest);
  });
});
