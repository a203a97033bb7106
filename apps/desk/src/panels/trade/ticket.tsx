import { compareDecimals, type GraphError, isDecimal, multiplyDecimals } from "@exchange-graph/client";
import { useEffect, useState } from "react";
import { amount, words } from "../../format/format.js";
import { PlaceOrder, PlaceTpsl } from "../../graph/mutations.js";
import { useRead } from "../../graph/useRead.js";
import { submit } from "../../graph/writes.js";
import { useAccount, useAccounts, useMay } from "../../live/accounts.js";
import { useSettings } from "../../state/settings.js";
import { Choice } from "../../ui/controls.js";
import { Errors } from "../../ui/errors.js";
import { Forbidden, Panel } from "../../ui/panel.js";
import { type Category, futuresOf } from "../market.js";
import { EstimateRows } from "./estimateRows.js";
import { FuturesModes, FuturesSettingsOf } from "./futuresSettings.js";
import type { Instrument, Market } from "./instrument.js";
import { useTicker } from "./marketHead.js";
import { TicketFields } from "./ticketFields.js";
import { type Known, orderInput, qtyOf, smallestSize, spends, type Ticket, tpslInput } from "./ticketInput.js";
import { type Estimate, type Input, usePreview } from "./usePreview.js";

const FIELDS = [
  "price",
  "qty",
  "quoteQty",
  "triggerPrice",
  "takeProfit.triggerPrice",
  "stopLoss.triggerPrice",
  "size",
  "executePrice",
];

interface Props {
  readonly market: Market;
  readonly instrument: Instrument | undefined;
  readonly ticket: Ticket;
  readonly onChange: (part: Partial<Ticket>) => void;
}

/** The order of a ticket, its validation by the gateway, and its placement. */
function useOrder({ market, instrument, ticket, onChange }: Props) {
  const account = useAccount();
  const { confirmAbove } = useSettings();
  const futures = futuresOf(market.category);
  const settings = useRead(
    FuturesSettingsOf,
    { account, category: futures ?? "USDT_FUTURES", symbol: market.symbol },
    { isPaused: futures === undefined || account === "" },
  );
  const { ticker, feed } = useTicker(market);
  const found = settings.data?.account?.futuresSettings ?? undefined;
  const [bounds, setBounds] = useState<Pick<Estimate, "maxQty" | "maxQuoteQty">>();
  const [refused, setRefused] = useState<readonly GraphError[]>([]);
  const [isSure, setSure] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const known: Known = {
    ...{ account, market, instrument },
    isHedge: futures !== undefined && found?.holdMode === "HEDGE_MODE",
    last: ticker?.lastPrice ?? undefined,
    maxQty: bounds?.maxQty ?? undefined,
    maxQuoteQty: bounds?.maxQuoteQty ?? undefined,
  };
  const input = inputOf(ticket, known);
  // Without a size, the smallest order is used to compute the limits.
  const smallest = {
    ...ticket,
    by: "qty" as const,
    size: smallestSize(known, ticket.price),
    price: ticket.price || (ticker?.lastPrice ?? ""),
  };
  const preview = usePreview(input ?? inputOf(smallest, known));
  const estimate = preview?.estimate;
  useEffect(() => {
    if (estimate !== undefined) setBounds(estimate);
  }, [estimate]);
  const isShown = input !== undefined && preview?.of === JSON.stringify(input);
  const errors = refused.length > 0 ? refused : isShown ? preview.errors : [];
  const isLarge = ticket.kind === "MARKET" && input !== undefined && isWorthMore(input, known.last, confirmAbove);

  const edit = (part: Partial<Ticket>) => {
    setRefused([]);
    setSure(false);
    onChange(part);
  };
  const send = async () => {
    if (input === undefined) return;
    if (isLarge && !isSure) {
      setSure(true);
      return;
    }
    setSure(false);
    setBusy(true);
    const title = titleOf(ticket, known);
    const result =
      input.as === "order" ? await submit(title, PlaceOrder, input.input) : await submit(title, PlaceTpsl, input.input);
    setBusy(false);
    if (result.outcome === "rejected") setRefused(result.errors);
    else onChange({ size: "" });
  };
  return {
    ...{ known, input, errors, bounds, isSure, isBusy, edit, send, confirmAbove },
    estimate: isShown ? estimate : undefined,
    settings: found,
    feed: futures === undefined ? feed : settings,
  };
}

/** Whether the value of a market order exceeds a limit. An unknown value counts as large. */
function isWorthMore({ input }: Input, last: string | undefined, than: string): boolean {
  if ("quoteQty" in input && input.quoteQty !== undefined) return compareDecimals(input.quoteQty, than) > 0;
  return input.qty === undefined || last === undefined || compareDecimals(multiplyDecimals(input.qty, last), than) > 0;
}

/** Composes an order, shows its cost, and places it. */
export function TicketPanel(props: Props) {
  const { market, instrument, ticket } = props;
  const { current } = useAccounts();
  const account = current?.name ?? "";
  const mayTrade = useMay("trade", account);
  const futures = futuresOf(market.category);
  const { known, input, errors, bounds, isSure, isBusy, edit, send, confirmAbove, estimate, settings, feed } = useOrder(props);
  const kinds = kindsOf(market.category, current?.mode ?? null);
  return (
    <Panel title="Order" feeds={[feed]} has className="ticket">
      {mayTrade ? (
        <form
          className="form ticket-form"
          onSubmit={(event) => {
            event.preventDefault();
            void send();
          }}
        >
          {futures !== undefined && (
            <FuturesModes
              account={account}
              category={futures}
              symbol={market.symbol}
              settings={settings}
              instrument={instrument}
            />
          )}
          <Choice
            label="Side"
            className="sides"
            value={ticket.side}
            onChange={(side) => edit({ side })}
            options={[
              { value: "BUY", text: "Buy", tone: "buy" },
              { value: "SELL", text: "Sell", tone: "sell" },
            ]}
          />
          {known.isHedge && (
            <Choice
              label="Effect"
              value={ticket.effect}
              onChange={(effect) => edit({ effect })}
              options={[
                { value: "OPEN", text: ticket.side === "BUY" ? "Open long" : "Open short" },
                { value: "CLOSE", text: ticket.side === "BUY" ? "Close short" : "Close long" },
              ]}
            />
          )}
          <Choice label="Order type" value={ticket.kind} onChange={(kind) => edit({ kind })} options={kinds} />
          <TicketFields ticket={ticket} known={known} errors={errors} onChange={edit} />
          <EstimateRows estimate={estimate} bounds={bounds} instrument={instrument} />
          <Errors errors={errors} shown={FIELDS} />
          {isSure && (
            <p className="warning" role="alert">
              This market order is worth more than {amount(confirmAbove)} {instrument?.quoteCoin}. Press again to send it.
            </p>
          )}
          <button
            type="submit"
            className={ticket.side === "BUY" ? "buy-button" : "sell-button"}
            disabled={input === undefined || isBusy}
          >
            {isSure ? "Yes, " : ""}
            {titleOf(ticket, known)}
          </button>
        </form>
      ) : (
        <Forbidden scope="trade" />
      )}
    </Panel>
  );
}

function inputOf(ticket: Ticket, known: Known): Input | undefined {
  if (ticket.kind === "TPSL" && futuresOf(known.market.category) !== undefined) {
    const input = tpslInput(ticket, known);
    return input && { as: "tpsl", input };
  }
  const input = orderInput(ticket, known);
  return input && { as: "order", input };
}

/** Spot of a unified account has no trigger orders. */
const kindsOf = (category: Category, mode: "CLASSIC" | "UNIFIED" | null) => [
  { value: "LIMIT" as const, text: "Limit" },
  { value: "MARKET" as const, text: "Market" },
  ...(futuresOf(category) !== undefined || (category === "SPOT" && mode === "CLASSIC")
    ? [{ value: "TPSL" as const, text: "TP / SL" }]
    : []),
];

function titleOf(ticket: Ticket, known: Known): string {
  const { side, kind, price } = ticket;
  const isSpending = spends(ticket, known.market.category);
  const qty = isSpending ? undefined : qtyOf(ticket, known);
  const what = qty === undefined ? "" : ` ${amount(qty)}`;
  const at = kind === "LIMIT" && isDecimal(price) ? ` @ ${amount(price)}` : kind === "MARKET" ? " at market" : "";
  return `${words(side)}${what} ${known.market.symbol}${at}`;
}
