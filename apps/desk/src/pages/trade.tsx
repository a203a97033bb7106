import { useEffect, useState } from "react";
import { useAccount } from "../live/accounts.js";
import { categoryOf, futuresOf } from "../panels/market.js";
import { OrdersPanel } from "../panels/ordersPanel.js";
import { PositionsPanel } from "../panels/positionsPanel.js";
import { BookPanel } from "../panels/trade/book.js";
import { ChartPanel } from "../panels/trade/chartPanel.js";
import { FundingPanel } from "../panels/trade/fundingPanel.js";
import { type Market, useInstrument } from "../panels/trade/instrument.js";
import { MarketHead } from "../panels/trade/marketHead.js";
import { TapePanel } from "../panels/trade/tape.js";
import { TicketPanel } from "../panels/trade/ticket.js";
import { EMPTY, type Ticket } from "../panels/trade/ticketInput.js";
import { useRoute } from "../state/route.js";
import { change, useSettings } from "../state/settings.js";
import { Board } from "../ui/board.js";

const FIRST: Market = { category: "USDT_FUTURES", symbol: "BTCUSDT" };

/** The market of the URL; otherwise the last one that was shown. */
function useMarket(): Market {
  const { rest } = useRoute();
  const { market: kept } = useSettings();
  const [word, symbol] = rest.length === 2 ? rest : kept.split("/");
  const category = categoryOf(word);
  const isNamed = category !== undefined && symbol !== undefined && symbol !== "";
  const path = isNamed ? `${category}/${symbol}` : kept;
  useEffect(() => {
    if (path !== kept) change({ market: path });
  }, [path, kept]);
  return isNamed ? { category, symbol } : FIRST;
}

const TYPED = "input:not([type=radio]):not([type=checkbox]), select, textarea, dialog[open]";

/** One market: chart, book, trades, and the ticket. `b` and `s` start an order. */
export function Trade() {
  const market = useMarket();
  const account = useAccount();
  const { data } = useInstrument(market.category, market.symbol);
  const instrument = data?.instrument ?? undefined;
  const [ticket, setTicket] = useState<Ticket>(EMPTY);
  const edit = (part: Partial<Ticket>) => setTicket((old) => ({ ...old, ...part }));
  const of = `${market.category}/${market.symbol}`;
  const futures = futuresOf(market.category);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another market is another order
  useEffect(() => setTicket(({ side }) => ({ ...EMPTY, side })), [of]);
  useEffect(() => {
    function pressed(event: KeyboardEvent): void {
      const { key, target, ctrlKey, metaKey, altKey } = event;
      const side = key === "b" ? "BUY" : key === "s" ? "SELL" : undefined;
      const isTyped = target instanceof HTMLElement && target.closest(TYPED) !== null;
      if (side === undefined || ctrlKey || metaKey || altKey || isTyped) return;
      // The letter must not be typed into the field.
      event.preventDefault();
      setTicket((old) => ({ ...old, side }));
      document.getElementById("ticket-size")?.focus();
    }
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
  return (
    <>
      <h1 className="hidden">{market.symbol}</h1>
      <Board
        tiles={[
          { id: "Market", w: 19, panel: <MarketHead market={market} instrument={instrument} /> },
          {
            id: "Order",
            w: 5,
            rows: 3,
            panel: (
              <TicketPanel key={`${account} ${of}`} market={market} instrument={instrument} ticket={ticket} onChange={edit} />
            ),
          },
          { id: "Chart", w: 14, rows: 2, panel: <ChartPanel market={market} instrument={instrument} /> },
          {
            id: "Book",
            w: 5,
            panel: (
              <BookPanel
                market={market}
                instrument={instrument}
                onPrice={(price) => edit(ticket.kind === "MARKET" ? { kind: "LIMIT", price } : { price })}
              />
            ),
          },
          { id: "Trades", w: 5, panel: <TapePanel market={market} instrument={instrument} /> },
          ...(futures === undefined
            ? []
            : [{ id: "Funding", w: 24, panel: <FundingPanel category={futures} symbol={market.symbol} /> }]),
          { id: "Positions", w: 24, panel: <PositionsPanel /> },
          { id: "Open orders", w: 24, panel: <OrdersPanel /> },
        ]}
      />
    </>
  );
}
