import { ManualClock } from "@exchange-graph/contract/clock";
import { beforeAll, describe, expect, it } from "vitest";
import { openExchange, type SandboxExchange } from "../../src/sandboxExchange.js";
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

const booksOf = ({ world: { state } }: SandboxExchange) => [state.ledger.digest(), state.ledger.posted, state.ids.next()];

describe("whatever is called", () => {
  const { exchange, tally, player } = game("balance");
  const { state } = exchange.world;
  const differing: string[] = [];
  let begun: readonly unknown[];
  beforeAll(() => {
    player.play(1_000, (uid) => {
      presentUnifiedMargin(state, uid);
      return () => {
        const [cached, computed] = [presentUnifiedMargin, unifiedMargin].map((figures) => JSON.stringify(figures(state, uid)));
        if (cached !== computed) differing.push(`${cached} instead of ${computed}`);
      };
    });
    audit(exchange, tally);
    begun = booksOf(exchange);
  }, 60_000);

  it("cached figures equal computed ones", () => {
    expect(differing).toEqual([]);
  });

  it("the books balance, frozen coins are what is needed, positions are what was filled", { timeout: 10_000 * ROUNDS }, () => {
    for (let round = 1; round < ROUNDS; round++) {
      player.play(1_000);
      audit(exchange, tally);
    }
    // The game must have had everything in it, or it proves little.
    expect(WRITES.map(({ name }) => name).filter((name) => !player.done.has(name))).toEqual([]);
    expect([...player.done.values()].reduce((sum, count) => sum + count)).toBeGreaterThan(300 * ROUNDS);
    expect(player.refusals.size).toBeGreaterThan(40);
    const { positions, orders } = state;
    expect(PLAYERS.every((uid) => positions.closed(uid).length > 5 && orders.fills(uid).length > 10 * ROUNDS)).toBe(true);
    expect(PLAYERS.flatMap((uid) => exchange.world.planStore.ended(uid)).some(({ status }) => status === "executed")).toBe(true);
  });

  it("everything that writes is called", () => {
    expect(Object.keys(BODIES).sort()).toEqual(WRITES.map(({ name }) => name).sort());
  });

  it("replaying the seed gives equal books, however the clock's steps are cut up", { timeout: 120_000 }, () => {
    const again = game("balance", 4);
    again.player.play(1_000);
    expect(booksOf(again.exchange)).toEqual(begun);
  });
});
