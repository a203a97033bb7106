import { useEffect, useEffectEvent, useState } from "react";
import { amount, signed } from "../format/format.js";
import { useAccount } from "../live/accounts.js";
import { profitOf, usePositions } from "../live/positions.js";
import { ChartPanel } from "../panels/chart/chartPanel.js";
import { categoryOf, futuresOf } from "../panels/market.js";
import { BookPanel } from "../panels/trade/book.js";
import { FundingPanel } from "../panels/trade/fundingPanel.js";
import { type Instrument, type Market, useInstrument } from "../panels/trade/instrument.js";
import { MarketHead } from "../panels/trade/marketHead.js";
import { WatchListPanel } from "../panels/trade/markets.js";
import { Strip } from "../panels/trade/strip.js";
import { TapePanel } from "../panels/trade/tape.js";
import { useTicker } from "../panels/trade/ticker.js";
import { TicketPanel } from "../panels/trade/ticket.js";
import type { Ticket } from "../panels/trade/ticketState.js";
import { TradeKeys } from "../panels/trade/tradeKeys.js";
import { useTicket } from "../panels/trade/useTicket.js";
import { seconds } from "../state/clock.js";
import { useHotkeys } from "../state/hotkeys.js";
import { useIsPhone } from "../state/media.js";
import { addressOf, useRoute } from "../state/route.js";
import { change, settings, useSettings } from "../state/settings.js";
import { t } from "../text/text.js";
import { Board, type Tile } from "../ui/board.js";
import { Tabs } from "../ui/controls.js";
import message from "../ui/message.module.css";

const FIRST: Market = { category: "USDT_FUTURES", symbol: "BTCUSDT" };
/** Symbols of the exchange are shorter. */
const MAX_SYMBOL = 40;

function marketFrom([word, symbol, ...more]: readonly string[]): Market | undefined {
  const category = categoryOf(word);
  const isSymbol = symbol !== undefined && symbol !== "" && symbol.length <= MAX_SYMBOL && more.length === 0;
  return category === undefined || !isSymbol ? undefined : { category, symbol };
}

/** The market of the URL; otherwise the last one that was shown. An address that names none is unknown. */
function useMarket(): Market | undefined {
  const { rest } = useRoute();
  const { market: kept } = useSettings();
  return rest.length > 0 ? marketFrom(rest) : (marketFrom(kept.split("/")) ?? FIRST);
}

/** One market, if the exchange has it. */
export function Trade() {
  const { rest } = useRoute();
  const market = useMarket();
  const named = market ?? FIRST;
  const { data, faults } = useInstrument(named.category, named.symbol);
  const isThere = market !== undefined && !!data?.instrument;
  // A market that could not be read may exist.
  const isUnknown = data?.instrument === null && faults.length === 0;
  const path = `${named.category}/${named.symbol}`;
  useEffect(() => {
    if (isThere && settings.value.market !== path) change({ market: path });
  }, [isThere, path]);
  if (market === undefined || isUnknown) return <NoMarket name={(rest.at(-1) ?? named.symbol).slice(0, MAX_SYMBOL)} />;
  return <TradeMarket market={market} instrument={data?.instrument ?? undefined} />;
}

/** Shown for a market that the exchange does not have. */
const NoMarket = ({ name }: { readonly name: string }) => (
  <section className={message.message}>
    <h1>{t("No such market")}</h1>
    <p>
      {t("The exchange has no market")} <code>{name}</code> {t("of this kind. Search for one with")} <kbd>Ctrl K</kbd>
      {t(", or open")} <a href={addressOf("trade", FIRST.category, FIRST.symbol)}>{FIRST.symbol}</a>.
    </p>
  </section>
);

/** One market: chart, book, trades, and the ticket. */
function TradeMarket({ market, instrument }: { readonly market: Market; readonly instrument: Instrument | undefined }) {
  const account = useAccount();
  const hasAccount = account !== "";
  const of = `${account}/${market.category}/${market.symbol}`;
  const { ticket, edit, clear } = useTicket(of);
  const isPhone = useIsPhone();
  const [part, setPart] = useState<(typeof PARTS)[number]["value"]>("chart");
  const futures = futuresOf(market.category);
  const startOrder = (side: Ticket["side"]) => {
    edit({ side });
    if (isPhone) setPart("order");
    // On a phone the ticket is shown first.
    requestAnimationFrame(() => document.getElementById("ticket-size")?.focus());
  };
  useHotkeys({
    buy: () => startOrder("BUY"),
    sell: () => startOrder("SELL"),
    price: () => document.getElementById("ticket-price")?.focus(),
    send: () => document.querySelector<HTMLFormElement>("[data-panel=Order] > div > form")?.requestSubmit(),
  });
  const tiles: readonly Tile[] = [
    { id: "Market", w: 18, panel: <MarketHead market={market} instrument={instrument} /> },
    ...(hasAccount
      ? [
          {
            id: "Order",
            w: 6,
            rows: 3,
            panel: (
              <TicketPanel key={of} market={market} instrument={instrument} ticket={ticket} onChange={edit} onPlaced={clear} />
            ),
          },
        ]
      : []),
    {
      id: "Chart",
      w: 13,
      panel: (
        <ChartPanel
          market={market}
          instrument={instrument}
          onOrder={(side, price) => {
            edit({ kind: "LIMIT", side, price });
            if (isPhone) setPart("order");
            requestAnimationFrame(() => document.getElementById("ticket-size")?.focus());
          }}
        />
      ),
    },
    {
      id: "Book",
      w: 5,
      panel: (
        <BookPanel
          market={market}
          instrument={instrument}
          onPrice={(price) => {
            edit(ticket.kind === "MARKET" ? { kind: "LIMIT", price } : { price });
            if (isPhone) setPart("order");
          }}
        />
      ),
    },
    ...(hasAccount ? [{ id: "Account", w: 18, panel: <Strip /> }] : []),
    { id: "Watch list", w: 8, panel: <WatchListPanel /> },
    { id: "Trades", w: futures === undefined ? 16 : 6, panel: <TapePanel market={market} instrument={instrument} /> },
    ...(futures === undefined
      ? []
      : [{ id: "Funding", w: 10, panel: <FundingPanel category={futures} symbol={market.symbol} /> }]),
  ];
  return (
    <>
      <h1 className="hidden">{market.symbol}</h1>
      <Title market={market} instrument={instrument} />
      {isPhone && <Tabs label={t("Part of the page")} tabs={PARTS} value={part} onChange={setPart} />}
      {useSettings().tradeKeys && hasAccount && <TradeKeys account={account} />}
      <Board tiles={isPhone ? tiles.filter(({ id }) => id === "Market" || ON_PHONE[part].includes(id)) : tiles} />
    </>
  );
}

const TITLE = "exchange-graph desk";

/** The price and the account's profit in the title of the tab, once a second. It renders nothing. */
function Title({ market, instrument }: { readonly market: Market; readonly instrument: Instrument | undefined }): null {
  const account = useAccount();
  const { ticker } = useTicker(market);
  const { rows } = usePositions(account);
  const price = amount(ticker?.lastPrice, instrument?.precision?.price);
  const profit = account === "" ? "" : `, ${signed(profitOf(rows), 2)}`;
  const title = ticker === undefined ? TITLE : `${price} ${market.symbol}${profit}`;
  const isKnown = ticker !== undefined;
  const entitle = useEffectEvent(() => {
    document.title = title;
  });
  useEffect(() => {
    if (isKnown) entitle();
    return seconds.subscribe(() => entitle());
  }, [isKnown]);
  useEffect(
    () => () => {
      document.title = TITLE;
    },
    [],
  );
  return null;
}

const PARTS = [
  { value: "chart", text: t("Chart") },
  { value: "book", text: t("Book") },
  { value: "order", text: t("Order") },
  { value: "account", text: t("Account") },
] as const;

/** The panels of each part on a phone. */
const ON_PHONE: { readonly [part in (typeof PARTS)[number]["value"]]: readonly string[] } = {
  chart: ["Chart", "Watch list", "Funding"],
  book: ["Book", "Trades"],
  order: ["Order"],
  account: ["Account"],
};
