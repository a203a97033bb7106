import { compareDecimals, type GraphError, isDecimal, subtractDecimals } from "@exchange-graph/client";
import { useEffect, useState } from "react";
import { amount, percent, words } from "../../format/format.js";
import { PlaceOrder, PlaceTpsl } from "../../graph/mutations.js";
import { useRead } from "../../graph/useRead.js";
import { submit } from "../../graph/writes.js";
import { useAccounts, useMay } from "../../live/accounts.js";
import { useSettings } from "../../state/settings.js";
import { Choice, Field } from "../../ui/controls.js";
import { Errors, errorAt } from "../../ui/errors.js";
import { Panel } from "../../ui/panel.js";
import { type Category, futuresOf } from "../market.js";
import { FuturesModes, FuturesSettingsOf } from "./futuresSettings.js";
import type { Instrument, Market } from "./instrument.js";
import { useTicker } from "./marketHead.js";
import { type Known, orderInput, qtyOf, spends, type Ticket, tpslInput } from "./ticketInput.js";
import { type Estimate, type Input, usePreview } from "./usePreview.js";

const SHARES = ["10", "25", "50", "75", "100"] as const;
const FIELDS = ["price", "qty", "quoteQty", "triggerPrice", "takeProfit.triggerPrice", "stopLoss.triggerPrice", "size", "executePrice"];

interface Props {
  readonly market: Market;
  readonly instrument: Instrument | undefined;
  readonly ticket: Ticket;
  readonly onChange: (part: Partial<Ticket>) => void;
}

/** Puts an order together, says what it would cost, and places it. */
export function TicketPanel({ market, instrument, ticket, onChange }: Props) {
  const { current } = useAccounts();
  const account = current?.name ?? "";
  const mayTrade = useMay("trade", account);
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
  // Before a size is given, the smallest order says what could be ordered.
  const smallest = { ...ticket, by: "qty" as const, size: instrument?.orderSize.min ?? "", price: ticket.price || (ticker?.lastPrice ?? "") };
  const preview = usePreview(input ?? inputOf(smallest, known));
  const estimate = preview?.estimate;
  useEffect(() => {
    if (estimate !== undefined) setBounds(estimate);
  }, [estimate]);
  const isShown = input !== undefined && preview?.of === JSON.stringify(input);
  const errors = refused.length > 0 ? refused : isShown ? preview.errors : [];
  const value = isShown ? estimate?.cost : undefined;
  const isLarge = ticket.kind === "MARKET" && value !== undefined && compareDecimals(value, confirmAbove) > 0;

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
    const result = input.as === "order" ? await submit(title, PlaceOrder, input.input) : await submit(title, PlaceTpsl, input.input);
    setBusy(false);
    if (result.outcome === "rejected") setRefused(result.errors);
    else onChange({ size: "" });
  };
  const kinds = kindsOf(market.category, current?.mode ?? null);
  const isSpending = spends(ticket, market.category);
  return (
    <Panel title="Order" feeds={[futures === undefined ? feed : settings]} has className="ticket">
      {mayTrade ? (
        <form
          className="form ticket-form"
          onSubmit={(event) => {
            event.preventDefault();
            void send();
          }}
        >
          {futures !== undefined && (
            <FuturesModes account={account} category={futures} symbol={market.symbol} settings={found} instrument={instrument} />
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
          {ticket.kind === "TPSL" && (
            <Field
              label="Trigger price"
              value={ticket.triggerPrice}
              onChange={(triggerPrice) => edit({ triggerPrice })}
              unit={instrument?.quoteCoin}
              error={errorAt(errors, "triggerPrice")}
              isDecimal
            />
          )}
          {ticket.kind !== "MARKET" && (
            <Field
              label={ticket.kind === "TPSL" ? "Limit price; at market if left out" : "Price"}
              id="ticket-price"
              value={ticket.price}
              onChange={(price) => edit({ price })}
              unit={instrument?.quoteCoin}
              placeholder={ticket.kind === "LIMIT" ? amount(ticker?.lastPrice, instrument?.precision?.price) : "market"}
              error={errorAt(errors, "price") ?? errorAt(errors, "executePrice")}
              isDecimal
            />
          )}
          {ticket.kind === "LIMIT" && (
            <Choice
              label="Time in force"
              value={ticket.tif}
              onChange={(tif) => edit({ tif })}
              options={[
                { value: "GTC", text: "GTC" },
                { value: "POST_ONLY", text: "Post only" },
                { value: "IOC", text: "IOC" },
                { value: "FOK", text: "FOK" },
              ]}
            />
          )}
          <div className="size">
            <Choice
              label="Size by"
              value={ticket.by}
              onChange={(by) => edit({ by, size: "" })}
              options={[
                { value: "qty", text: "Quantity" },
                { value: "value", text: "Value" },
                { value: "share", text: "Share" },
              ]}
            />
            <Field
              label={SIZE_LABELS[ticket.by]}
              id="ticket-size"
              value={ticket.size}
              onChange={(size) => edit({ size })}
              unit={ticket.by === "qty" ? instrument?.baseCoin : ticket.by === "value" ? instrument?.quoteCoin : "%"}
              error={errorAt(errors, "qty") ?? errorAt(errors, "quoteQty") ?? errorAt(errors, "size")}
              hint={sizeHint(ticket, known, isSpending)}
              isDecimal
            />
          </div>
          <div className="shares">
            {SHARES.map((share) => (
              <button key={share} type="button" onClick={() => edit({ by: "share", size: share })}>
                {share} %
              </button>
            ))}
          </div>
          {futures !== undefined && ticket.kind !== "TPSL" && (
            <div className="pair">
              <Field
                label="Take profit"
                value={ticket.takeProfit}
                onChange={(takeProfit) => edit({ takeProfit })}
                error={errorAt(errors, "takeProfit.triggerPrice")}
                isDecimal
              />
              <Field
                label="Stop loss"
                value={ticket.stopLoss}
                onChange={(stopLoss) => edit({ stopLoss })}
                error={errorAt(errors, "stopLoss.triggerPrice")}
                isDecimal
              />
            </div>
          )}
          {futures !== undefined && !known.isHedge && ticket.kind !== "TPSL" && (
            <label className="check">
              <input type="checkbox" checked={ticket.reduceOnly} onChange={(event) => edit({ reduceOnly: event.target.checked })} />
              Reduce only
            </label>
          )}
          <EstimateRows estimate={isShown ? estimate : undefined} bounds={bounds} instrument={instrument} />
          <Errors errors={errors} shown={FIELDS} />
          {isSure && (
            <p className="warning" role="alert">
              This market order is worth more than {amount(confirmAbove)} {instrument?.quoteCoin}. Press again to send it.
            </p>
          )}
          <button type="submit" className={ticket.side === "BUY" ? "buy-button" : "sell-button"} disabled={input === undefined || isBusy}>
            {isSure ? "Yes, " : ""}
            {titleOf(ticket, known)}
          </button>
        </form>
      ) : (
        <p className="state forbidden">
          <b>Not for this token</b>It needs the scope trade.
        </p>
      )}
    </Panel>
  );
}

const SIZE_LABELS = { qty: "Quantity", value: "Value", share: "Share of what is available" };

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
  ...(futuresOf(category) !== undefined || (category === "SPOT" && mode === "CLASSIC") ? [{ value: "TPSL" as const, text: "TP / SL" }] : []),
];

/** The limits of the market, and what a value or a share comes to. */
function sizeHint(ticket: Ticket, known: Known, isSpending: boolean): string {
  const { min, max, maxMarket } = known.instrument?.orderSize ?? { min: null, max: null, maxMarket: null };
  const most = ticket.kind === "MARKET" ? (maxMarket ?? max) : max;
  const qty = isSpending ? undefined : qtyOf(ticket, known);
  const coin = known.instrument?.baseCoin ?? "";
  if (ticket.by !== "qty" && qty !== undefined) return `${amount(qty)} ${coin}`;
  return `From ${amount(min)}${most === null ? "" : ` to ${amount(most)}`} ${coin}`;
}

function titleOf(ticket: Ticket, known: Known): string {
  const { side, kind, price } = ticket;
  const isSpending = spends(ticket, known.market.category);
  const qty = isSpending ? undefined : qtyOf(ticket, known);
  const what = qty === undefined ? "" : ` ${amount(qty)}`;
  const at = kind === "LIMIT" && isDecimal(price) ? ` @ ${amount(price)}` : kind === "MARKET" ? " at market" : "";
  return `${words(side)}${what} ${known.market.symbol}${at}`;
}

interface EstimateProps {
  readonly estimate: Estimate | undefined;
  readonly bounds: Pick<Estimate, "maxQty" | "maxQuoteQty"> | undefined;
  readonly instrument: Instrument | undefined;
}

/** What it would cost, and what would be left; the rows are there before the figures. */
function EstimateRows({ estimate, bounds, instrument }: EstimateProps) {
  const { available, required, requiredCoin = "" } = estimate ?? {};
  const left = available && required ? subtractDecimals(available, required) : undefined;
  return (
    <dl className="rows estimate">
      <div>
        <dt>Worth</dt>
        <dd>
          {amount(estimate?.cost, 2)} {estimate?.costCoin}
        </dd>
      </div>
      <div>
        <dt>Fee at most{estimate?.feeRate ? `, ${percent(estimate.feeRate, 3)}` : ""}</dt>
        <dd>
          {amount(estimate?.fee, 4)} {estimate?.costCoin}
        </dd>
      </div>
      <div>
        <dt>{estimate?.margin ? `Margin${estimate.leverage ? ` at ${amount(estimate.leverage)}×` : ""}` : "Needs"}</dt>
        <dd>
          {amount(estimate?.margin ?? required, 4)} {requiredCoin}
        </dd>
      </div>
      <div>
        <dt>Available</dt>
        <dd>
          {amount(available, 4)} {requiredCoin}
        </dd>
      </div>
      <div>
        <dt>Left after it</dt>
        <dd className={left !== undefined && compareDecimals(left, "0") < 0 ? "down" : ""}>
          {amount(left, 4)} {requiredCoin}
        </dd>
      </div>
      <div>
        <dt>Most</dt>
        <dd>
          {bounds?.maxQuoteQty ? `${amount(bounds.maxQuoteQty, 2)} ${instrument?.quoteCoin ?? ""}` : `${amount(bounds?.maxQty)} ${instrument?.baseCoin ?? ""}`}
        </dd>
      </div>
    </dl>
  );
}

