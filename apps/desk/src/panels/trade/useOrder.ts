import { compareDecimals, type GraphError, isDecimal, multiplyDecimals, subtractDecimals } from "@exchange-graph/client";
import { useEffect, useState } from "react";
import { PlaceOrder } from "../../graph/mutations.js";
import { line } from "../../graph/session.js";
import { useRead } from "../../graph/useRead.js";
import { submit } from "../../graph/writes.js";
import { useAccount, useEquity } from "../../live/accounts.js";
import { useSettings } from "../../state/settings.js";
import { useStore } from "../../state/store.js";
import { useQuestion } from "../../ui/useQuestion.js";
import { futuresOf } from "../market.js";
import { FuturesSettingsOf } from "./futures.js";
import type { Instrument, Market } from "./instrument.js";
import { type Ticker, useTicker } from "./ticker.js";
import { orderInput, scopeOf, smallestSize } from "./ticketInput.js";
import type { Terms, Ticket } from "./ticketState.js";
import { titleOf } from "./ticketTitle.js";
import { type Most, usePreview } from "./usePreview.js";

export interface OrderProps {
  readonly market: Market;
  readonly instrument: Instrument | undefined;
  readonly ticket: Ticket;
  readonly onChange: (part: Partial<Ticket>) => void;
  /** Called when an order of this size was placed. */
  readonly onPlaced: (size: string) => void;
}

/** Figures that an order is composed from, as they were when it was edited. */
interface Basis {
  readonly last: string | undefined;
  /** Set when a share was chosen, or as soon as the largest order is known after that. */
  readonly most: Most | undefined;
  readonly equity: string | undefined;
}

/** Others may change the leverage and the modes of the account: these are read again at this interval, ms. */
const SETTINGS_EVERY_MS = 15_000;
/** An order whose size follows from the price takes the current price again at this interval, ms. */
const REPRICED_MS = 10_000;
/** After a larger move of the price, as a fraction, an order is computed and checked again at once. */
const LARGE_MOVE = "0.01";

type OrderInput = NonNullable<ReturnType<typeof orderInput>>;

/** Why an order has to be confirmed. */
export type Question = "large" | "crossing" | "lost" | "moved";

/**
 * The order of a ticket, its validation by the gateway, and its placement. The order changes when it is edited, and not with each
 * price: one whose size follows from the price is computed anew now and then, but not while `isHeld`.
 */
export function useOrder({ market, instrument, ticket, onChange, onPlaced }: OrderProps, isHeld: boolean) {
  const account = useAccount();
  const { confirmAbove } = useSettings();
  const { state } = useStore(line);
  const futures = futuresOf(market.category);
  const settings = useRead(
    FuturesSettingsOf,
    { account, category: futures ?? "USDT_FUTURES", symbol: market.symbol },
    { everyMs: SETTINGS_EVERY_MS, isPaused: futures === undefined || account === "" },
  );
  const { ticker, feed } = useTicker(market);
  const { equity } = useEquity(account);
  const found = settings.data?.account?.futuresSettings ?? undefined;
  const [most, setMost] = useState<Most>();
  const [basis, setBasis] = useState<Basis>({ last: undefined, most: undefined, equity: undefined });
  const [refused, setRefused] = useState<readonly GraphError[]>([]);
  const [shownQuestion, showQuestion] = useQuestion<Question>();
  const [isBusy, setBusy] = useState(false);
  const current = ticker?.lastPrice ?? undefined;
  const level = useLevel(current);
  const last = basis.last ?? current;
  const common = { account, market, instrument, isHedge: futures !== undefined && found?.holdMode === "HEDGE_MODE", last };
  const scope = scopeOf(ticket, { account, market });
  const chosen = basis.most?.scope === scope ? basis.most : undefined;
  const terms: Terms = {
    ...common,
    maxQty: chosen?.maxQty ?? undefined,
    maxQuoteQty: chosen?.maxQuoteQty ?? undefined,
    equity: basis.equity,
  };
  const input = orderInput(ticket, terms);
  // Without a size, the smallest order is used to compute the largest possible one.
  const smallest = {
    ...ticket,
    by: "qty" as const,
    size: smallestSize(terms, ticket.price),
    price: ticket.price || (last ?? ""),
    takeProfit: "",
    stopLoss: "",
  };
  const checked = input ?? orderInput(smallest, terms);
  const onMost = (found: Most) => {
    setMost(found);
    setBasis((old) => (old.most?.scope === found.scope ? old : { ...old, most: found }));
  };
  const preview = usePreview(checked && { as: "order", input: checked }, { scope, level, isTyped: input !== undefined }, onMost);
  const checkErrors = input === undefined ? preview.errors.filter(isAboutNoField) : preview.errors;
  const errors = refused.length > 0 ? refused : checkErrors;
  const question = input === undefined ? undefined : questionOf(ticket, input, ticker, confirmAbove, state === "lost");

  const isMoved = ticket.kind !== "LIMIT" && isLargeMove(basis.last, current);
  if (isMoved && !isHeld) setBasis({ ...basis, last: current });
  const followsPrice = input !== undefined && !isHeld && ticket.by !== "share" && ticket.kind !== "LIMIT";
  useEffect(() => {
    if (!followsPrice) return undefined;
    const timer = setInterval(() => setBasis((old) => ({ ...old, last: undefined })), REPRICED_MS);
    return () => clearInterval(timer);
  }, [followsPrice]);
  // The price is taken once, when the first one is there.
  useEffect(() => {
    if (current !== undefined) setBasis((old) => (old.last === undefined ? { ...old, last: current } : old));
  }, [current]);

  const edit = (part: Partial<Ticket>) => {
    setRefused([]);
    showQuestion(undefined);
    setBasis({ last: current ?? last, most, equity });
    onChange(part);
  };
  const send = async () => {
    // A key sends the form also while its button is disabled.
    if (input === undefined || isBusy) return;
    if (isMoved) {
      setBasis({ ...basis, last: current });
      showQuestion("moved");
      return;
    }
    if (question !== undefined && question !== shownQuestion) {
      showQuestion(question);
      return;
    }
    showQuestion(undefined);
    setBusy(true);
    const title = titleOf(ticket, terms);
    const result = await submit(title, PlaceOrder, input);
    setBusy(false);
    if (result.outcome === "rejected") setRefused(result.errors);
    else onPlaced(ticket.size);
  };
  return {
    ...{ terms, input, errors, isBusy, edit, send, confirmAbove },
    /** The question that was asked and is answered by pressing again. */
    confirming: shownQuestion === question || shownQuestion === "moved" ? shownQuestion : undefined,
    isLost: state === "lost",
    costs: preview.costs,
    most: most?.scope === scope && !preview.errors.some(isOfHalt) ? most : undefined,
    settings: found,
    feed: futures === undefined ? feed : settings,
  };
}

const isOfHalt = ({ code }: GraphError): boolean => code === "TRADING_HALTED";
const isAboutNoField = ({ code }: GraphError): boolean => code !== "BAD_USER_INPUT" && code !== "INSUFFICIENT_BALANCE";

/** What has to be confirmed before an order is sent; undefined for nothing. */
function questionOf(
  ticket: Ticket,
  input: OrderInput,
  ticker: Ticker | undefined,
  confirmAbove: string,
  isLost: boolean,
): Question | undefined {
  if (isLost) return "lost";
  const isCrossing = ticket.kind === "LIMIT" && ticket.tif !== "POST_ONLY" && crosses(ticket, ticker);
  if (ticket.kind !== "MARKET" && !isCrossing) return undefined;
  const price = isCrossing ? ticket.price : (ticker?.lastPrice ?? undefined);
  if (!isWorthMore(input, price, confirmAbove)) return undefined;
  return isCrossing ? "crossing" : "large";
}

/** The price as of its last large move. */
function useLevel(price: string | undefined): string | undefined {
  const [level, setLevel] = useState(price);
  if (level === undefined ? price !== undefined : isLargeMove(level, price)) setLevel(price);
  return level;
}

/** Whether the price has moved so far that an order computed from `before` is another one. */
function isLargeMove(before: string | undefined, now: string | undefined): boolean {
  if (before === undefined || now === undefined) return false;
  const distance = subtractDecimals(now, before).replace("-", "");
  return compareDecimals(distance, multiplyDecimals(before, LARGE_MOVE)) > 0;
}

/** Whether a limit order would trade at once. */
function crosses({ side, price }: Ticket, ticker: Ticker | undefined): boolean {
  const other = side === "BUY" ? (ticker?.ask1Price ?? ticker?.lastPrice) : (ticker?.bid1Price ?? ticker?.lastPrice);
  if (!other || !isDecimal(price)) return false;
  return side === "BUY" ? compareDecimals(price, other) >= 0 : compareDecimals(price, other) <= 0;
}

/** Whether the value of an order exceeds a limit. An unknown value counts as large. */
function isWorthMore(input: OrderInput, price: string | undefined, than: string): boolean {
  if (input.quoteQty !== undefined) return compareDecimals(input.quoteQty, than) > 0;
  return input.qty === undefined || price === undefined || compareDecimals(multiplyDecimals(input.qty, price), than) > 0;
}
