import { type DecimalText, type Exact, exact, plain, truncated } from "@exchange-graph/contract/decimal";
import type { Position } from "@exchange-graph/contract/position";
import { rowsRead } from "@exchange-graph/contract/rows";
import type { AccountFacts, Wallet } from "./accountFacts.js";
import { PLACES, total, ZERO } from "./positionFigures.js";

/**
 * The exchange cuts the margin of an isolated position at eight decimals where it writes it. Funding is paid from that margin, exactly:
 * from then on it has more decimals, which the exchange's other figures are computed from. They follow from a figure that it does not
 * cut: what a unified account has locked of a coin, and the balance of a coin in a futures account.
 */

/** Less than what is cut off from one margin. */
const MOST_CUT = exact("0.00000000999999999999");

const marginOf = ({ margin }: Position): Exact => exact(margin ?? "0");

/** The sum of what is cut off from these margins. `locked`: the sum of the exact margins, and of what orders have locked. */
function cutFrom(positions: readonly Position[], locked: Exact): Exact {
  const rest = locked.minus(total(positions, marginOf));
  // Prices and quantities of orders have few decimals.
  return rest.gte(ZERO) && rest.lte(MOST_CUT.times(String(positions.length))) ? rest : locked.minus(truncated(locked, PLACES));
}

/** Adds the cut decimals to the positions. How they are distributed over several positions is unknown; only the sum is certain. */
function withCut(positions: readonly Position[], cut: Exact): ReadonlyMap<Position, Position> {
  let left = cut;
  return new Map(
    positions.map((position) => {
      const own = left.gt(MOST_CUT) ? MOST_CUT : left;
      left = left.minus(own);
      return [position, { ...position, margin: plain(marginOf(position).plus(own)) }];
    }),
  );
}

/** What a futures account has in isolated positions, with all its decimals, if its coins belong to the same state. */
function wholeIsolated({ marginCoin, available, locked, isolatedMargin, assets }: Wallet): DecimalText | null {
  const balance = rowsRead(assets).find(({ coin }) => coin === marginCoin)?.balance ?? null;
  if (balance === null || available === null || locked === null || isolatedMargin === null) return isolatedMargin;
  const whole = exact(balance).minus(available).minus(locked);
  return truncated(whole, PLACES).eq(isolatedMargin) ? plain(whole) : isolatedMargin;
}

/** The part of an account with the margins of its isolated positions as they were before the exchange cut them. */
export function withWholeMargins(facts: AccountFacts): AccountFacts {
  const isolated = facts.positions.filter(({ marginMode, margin }) => marginMode === "isolated" && margin !== null);
  if (isolated.length === 0) return facts;
  const wallets = facts.wallets.map((wallet) => ({ ...wallet, isolatedMargin: wholeIsolated(wallet) }));
  const whole = new Map<Position, Position>();
  for (const coin of new Set(isolated.map(({ marginCoin }) => marginCoin))) {
    const own = isolated.filter(({ marginCoin }) => marginCoin === coin);
    const locked =
      facts.unified === null ? wallets[0]?.isolatedMargin : facts.unified.assets.find((asset) => asset.coin === coin)?.locked;
    if (locked == null) continue;
    for (const [position, one] of withCut(own, cutFrom(own, exact(locked)))) whole.set(position, one);
  }
  return { ...facts, wallets, positions: facts.positions.map((position) => whole.get(position) ?? position) };
}
