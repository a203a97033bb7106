import type { Position } from "@exchange-graph/contract/position";
import type { ExchangeAccount } from "../../accounts/exchangeAccount.js";
import type { Fault } from "../../fault.js";
import { hasEnded, keyOf } from "../../state/positionLedger.js";
import { markedTo } from "../../valuation/markToMarket.js";
import type { StreamEvent } from "../event.js";
import type { StateView, Streams, Unlisten } from "../streams.js";
import type { Listener } from "../topicHub.js";

type Positions = readonly Position[];

/** Symbols whose mark price is followed for one listener; the positions of others move with the exchange's pushes alone. */
const MAX_SYMBOLS = 50;

/** An account's positions, and between two words of the exchange what they stand at as the mark price moves. */
export function markedPositions(
  { accounts, market }: Pick<Streams, "accounts" | "market">,
  account: ExchangeAccount,
  listener: Listener<Positions>,
  view: StateView = {},
): Unlisten {
  /** As the exchange said them last, and as they were shown last: figures are worked out from the former alone. */
  const open = new Map<string, { readonly said: Position; readonly shown: Position }>();
  const prices = new Map<string, Unlisten>();
  let isStale = true;
  let isOver = false;

  const marked = (symbol: string, markPrice: string, time: number): void => {
    const moved: Position[] = [];
    for (const [key, { said, shown }] of open) {
      if (marketOf(said) !== symbol || shown.markPrice === markPrice) continue;
      const next = markedTo(said, markPrice);
      if (next.markPrice !== markPrice) continue;
      open.set(key, { said, shown: next });
      moved.push(next);
    }
    if (moved.length === 0) return;
    if (view.isWhole === true)
      listener.next({ kind: "snapshot", time, stale: isStale, value: [...open.values()].map(({ shown }) => shown) });
    else listener.next({ kind: "update", time, stale: isStale, value: moved });
  };

  const follow = (): void => {
    const wanted = new Map([...open.values()].map(({ said }) => [marketOf(said), said]));
    for (const [symbol, unlisten] of prices) {
      if (wanted.has(symbol)) continue;
      prices.delete(symbol);
      unlisten();
    }
    for (const [symbol, { category, symbol: name }] of wanted) {
      if (category === "UNKNOWN" || prices.has(symbol) || prices.size >= MAX_SYMBOLS) continue;
      let unlisten: Unlisten | undefined;
      prices.set(symbol, () => unlisten?.());
      unlisten = market.ticker(
        { category, symbol: name },
        {
          next: ({ value: { markPrice }, stale, time }) => {
            if (!stale && markPrice !== null && !isOver) marked(symbol, markPrice, time);
          },
          // The next word of the exchange about its positions has them followed again.
          failed: () => prices.delete(symbol),
        },
      );
    }
  };

  const take = ({ kind, value, stale }: StreamEvent<Positions>): void => {
    isStale = stale;
    if (kind === "snapshot") open.clear();
    for (const position of value) {
      if (hasEnded(position)) open.delete(keyOf(position));
      else open.set(keyOf(position), { said: position, shown: position });
    }
  };

  const leave = accounts.positions(
    account,
    {
      next: (event) => {
        take(event);
        listener.next(event);
        if (!isOver) follow();
      },
      failed: (fault: Fault) => {
        stop();
        listener.failed(fault);
      },
    },
    view,
  );
  const stop = (): void => {
    isOver = true;
    for (const unlisten of prices.values()) unlisten();
    prices.clear();
  };
  return () => {
    stop();
    leave();
  };
}

const marketOf = ({ categoryRaw, symbol }: Position): string => `${categoryRaw} ${symbol}`;
