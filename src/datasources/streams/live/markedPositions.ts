import type { Position } from "@exchange-graph/contract/position";
import type { ExchangeAccount } from "../../calls/index.js";
import type { Fault } from "../../errors/index.js";
import { markedTo } from "../../reads/index.js";
import type { StreamsOfAccounts } from "../channels/index.js";
import { isClosed, keyOf } from "../channels/positions.js";
import type { Listener, MarketStreams, StateView, StreamEvent, Unlisten } from "../listening.js";
import { isSame } from "../state/merge.js";

type Positions = readonly Position[];

/**
 * Maximum number of symbols whose mark price is followed for one listener; positions in others are updated by the exchange's
 * pushes only.
 */
const MAX_SYMBOLS = 50;

/**
 * Positions of an account, updated between two messages of the exchange as prices change: all figures of a query once the
 * formulas reproduce the exchange's; until then those that depend on a position's own mark price only.
 */
export function markedPositions(
  { accounts, market, figures }: StreamsOfAccounts & { readonly market: MarketStreams },
  account: ExchangeAccount,
  listener: Listener<Positions>,
  view: StateView = {},
): Unlisten {
  /** The exchange's last version, and the last emitted one: figures are computed from the former only. */
  const open = new Map<string, { readonly reported: Position; readonly shown: Position }>();
  const prices = new Map<string, Unlisten>();
  let leaveFigures: Unlisten | undefined;
  let computed: ReadonlySet<string> = new Set();
  let isStale = true;
  let isOver = false;

  const show = (positions: Positions, time: number): void => {
    const moved = positions.filter((position) => {
      const held = open.get(keyOf(position));
      if (held === undefined || isSame(position, held.shown)) return false;
      open.set(keyOf(position), { ...held, shown: position });
      return true;
    });
    if (moved.length === 0) return;
    if (view.isWhole === true)
      listener.next({ kind: "snapshot", time, stale: isStale, value: [...open.values()].map(({ shown }) => shown) });
    else listener.next({ kind: "update", time, stale: isStale, value: moved });
  };

  const marked = (symbol: string, markPrice: string, time: number): void => {
    const concerned = [...open.values()].filter(
      ({ reported, shown }) => marketKey(reported) === symbol && shown.markPrice !== markPrice && !computed.has(keyOf(reported)),
    );
    const moved = concerned.map(({ reported }) => markedTo(reported, markPrice));
    show(
      moved.filter((position) => position.markPrice === markPrice),
      time,
    );
  };

  const followFigures = (): void => {
    if (open.size === 0) {
      leaveFigures?.();
      leaveFigures = undefined;
      computed = new Set();
    }
    if (open.size === 0 || leaveFigures !== undefined) return;
    let unlisten: Unlisten | undefined;
    leaveFigures = () => unlisten?.();
    unlisten = figures.positions(account, {
      next: ({ value, time }) => {
        computed = new Set(value.map(keyOf));
        if (!isStale && !isOver) show(value, time);
      },
      // Without the account's other streams only the mark price is followed.
      failed: () => {
        computed = new Set();
        leaveFigures = undefined;
      },
    });
  };

  const follow = (): void => {
    const wanted = new Map([...open.values()].map(({ reported }) => [marketKey(reported), reported]));
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
          // The exchange's next message about its positions starts it again.
          failed: () => prices.delete(symbol),
        },
      );
    }
    followFigures();
  };

  /** Returns the positions to emit: a position that the exchange has not changed keeps its last emitted figures. */
  const take = ({ kind, value, stale }: StreamEvent<Positions>): Positions => {
    isStale = stale;
    const before = new Map(open);
    if (kind === "snapshot") open.clear();
    return value.map((position) => {
      const key = keyOf(position);
      const last = before.get(key);
      const next = last?.reported === position ? last : { reported: position, shown: position };
      if (isClosed(position)) open.delete(key);
      else open.set(key, next);
      return next.shown;
    });
  };

  const leave = accounts.listen(
    "positions",
    account,
    {
      next: (event) => {
        listener.next({ ...event, value: take(event) });
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
    leaveFigures?.();
  };
  return () => {
    stop();
    leave();
  };
}

const marketKey = ({ categoryRaw, symbol }: Position): string => `${categoryRaw} ${symbol}`;
