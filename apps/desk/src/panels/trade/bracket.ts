import {
  addDecimals,
  compareDecimals,
  divideDecimals,
  isDecimal,
  multiplyDecimals,
  roundToStep,
  subtractDecimals,
  trimDecimal,
} from "@exchange-graph/client";
import { t } from "../../text/text.js";
import { sideFault } from "../exitSide.js";
import type { Terms, Ticket } from "./ticketState.js";

/** Trigger prices; undefined for those that are not set, or cannot be computed yet. */
export interface Exits {
  readonly takeProfit: string | undefined;
  readonly stopLoss: string | undefined;
}

const isPositive = (text: string): boolean => isDecimal(text) && compareDecimals(text, "0") > 0;

/** The price at which an order is expected to trade; undefined while there is none. */
export function entryOf({ kind, price, triggerPrice }: Ticket, { last }: Pick<Terms, "last">): string | undefined {
  const set = kind === "LIMIT" ? price : kind === "TPSL" ? price || triggerPrice : "";
  return isPositive(set) ? set : last;
}

/** Why a typed exit gives no trigger price: its order is not sent without it. Undefined if it gives one, or none is typed. */
export function exitFault(exit: keyof Exits, ticket: Ticket, terms: Pick<Terms, "last" | "instrument">): string | undefined {
  if (ticket[exit] === "" || exitsOf(ticket, terms)[exit] !== undefined) return undefined;
  return exit === "takeProfit" && ticket.exitsBy === "r" && ticket.stopLoss === ""
    ? t("Its distance follows from the stop loss")
    : t("This gives no price above zero");
}

/** Why the exchange would refuse an exit: it lies on the wrong side of the entry. What closes a position has no exits. */
export function exitSideFault(exit: keyof Exits, ticket: Ticket, terms: Pick<Terms, "last" | "instrument" | "isHedge">) {
  const [price, entry] = [exitsOf(ticket, terms)[exit], entryOf(ticket, terms)];
  const isClosing = terms.isHedge ? ticket.effect === "CLOSE" : ticket.reduceOnly;
  if (price === undefined || entry === undefined || isClosing) return undefined;
  return sideFault(price, (ticket.side === "BUY") === (exit === "takeProfit"), entry);
}

/** The exits of an order as trigger prices, on the ticks of the market. */
export function exitsOf(ticket: Ticket, terms: Pick<Terms, "last" | "instrument">): Exits {
  const { exitsBy, takeProfit, stopLoss, side } = ticket;
  const entry = entryOf(ticket, terms);
  const decimals = terms.instrument?.precision?.price ?? 8;
  const step = decimals <= 0 ? "1" : `0.${"0".repeat(decimals - 1)}1`;
  /** A price at a distance in favour of the order, or against it; none at or below zero. */
  const away = (distance: string, isFavourable: boolean): string | undefined => {
    if (entry === undefined) return undefined;
    const isUp = (side === "BUY") === isFavourable;
    const price = roundToStep(isUp ? addDecimals(entry, distance) : subtractDecimals(entry, distance), step, "nearest");
    return isPositive(price) ? trimDecimal(price) : undefined;
  };
  const percentAway = (percent: string, isFavourable: boolean) =>
    entry === undefined || !isPositive(percent)
      ? undefined
      : away(multiplyDecimals(entry, divideDecimals(percent, "100", 12)), isFavourable);
  const price = (text: string) => (isPositive(text) ? text : undefined);
  switch (exitsBy) {
    case "price":
      return { takeProfit: price(takeProfit), stopLoss: price(stopLoss) };
    case "percent":
      return { takeProfit: percentAway(takeProfit, true), stopLoss: percentAway(stopLoss, false) };
    case "r": {
      const stop = price(stopLoss);
      if (stop === undefined || entry === undefined || !isPositive(takeProfit)) return { takeProfit: undefined, stopLoss: stop };
      const risk = subtractDecimals(entry, stop).replace("-", "");
      return { takeProfit: away(multiplyDecimals(risk, takeProfit), true), stopLoss: stop };
    }
  }
}
