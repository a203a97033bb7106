import { compareDecimals, divideDecimals, isDecimal, trimDecimal } from "@exchange-graph/client";
import { stepOf } from "../../format/format.js";
import type { PlacePlanOrderInput } from "../../graph/generated/graphql.js";
import { futuresOf } from "../market.js";
import { MOST_PARTS, type Part, partsOf } from "./scale.js";
import { type FieldRow, INTERVALS, type Strategy, type Values } from "./strategies.js";
import { hedge, qtyOf, qtyStepOf } from "./ticketInput.js";
import type { Terms, Ticket } from "./ticketState.js";
import type { Input } from "./usePreview.js";

type TermsInput = PlacePlanOrderInput["terms"];

const isPositive = (text: string | undefined): text is string =>
  text !== undefined && isDecimal(text) && compareDecimals(text, "0") > 0;
const whole = (text: string | undefined): number | undefined =>
  text !== undefined && /^[1-9]\d{0,5}$/.test(text) ? Number.parseInt(text, 10) : undefined;

/** A share typed in percent, as a fraction. */
const fraction = (percent: string): string => trimDecimal(divideDecimals(percent, "100", 12));

/** The terms of a strategy order; undefined while something is missing. */
function termsOf(strategy: Exclude<Strategy, "scale">, fields: readonly FieldRow[], values: Values): TermsInput | undefined {
  const of = (name: string) => {
    const row = fields.find((one) => one.name === name);
    return row === undefined ? undefined : values[name] || row.options?.[0]?.value;
  };
  const priceOf = (name: string) => (isPositive(of(name)) ? of(name) : undefined);
  const given = <Name extends string>(name: Name, value: string | undefined) =>
    (value === undefined ? {} : { [name]: value }) as { readonly [name in Name]?: string };
  const by = of("by") === "MARK" ? { triggerBy: "MARK" as const } : {};
  switch (strategy) {
    case "trigger": {
      const triggerPrice = priceOf("trigger");
      return triggerPrice === undefined
        ? undefined
        : { trigger: { triggerPrice, ...given("limitPrice", priceOf("limit")), ...by } };
    }
    case "oco": {
      const [limitPrice, triggerPrice] = [priceOf("limit"), priceOf("trigger")];
      if (limitPrice === undefined || triggerPrice === undefined) return undefined;
      return { oco: { limitPrice, triggerPrice, ...given("executePrice", priceOf("execute")) } };
    }
    case "trailingStop": {
      const distance = priceOf("distance");
      const isMissing =
        distance === undefined || fields.some((row) => !row.isOptional && !row.options && !isPositive(of(row.name)));
      if (isMissing) return undefined;
      return {
        trailingStop: {
          distance: of("distanceBy") === "quote" ? { spread: distance } : { rate: fraction(distance) },
          ...given("activationPrice", priceOf("activation")),
          ...given("limitPrice", priceOf("limit")),
        },
      };
    }
    case "iceberg":
      return icebergOf(of, priceOf);
    case "twap": {
      const durationMinutes = whole(of("minutes"));
      if (durationMinutes === undefined) return undefined;
      const offset = priceOf("offset");
      return {
        twap: {
          durationMinutes,
          intervalSeconds: INTERVALS.find((one) => one === of("interval")) ?? "SECONDS_5",
          ...(offset !== undefined && {
            limitOffset: of("offsetBy") === "quote" ? { spread: offset } : { percentage: offset },
          }),
          ...given("triggerPrice", priceOf("trigger")),
          ...given("terminationPrice", priceOf("end")),
        },
      };
    }
    case "tpsl": {
      const exits = ["takeProfit", "stopLoss"] as const;
      if (exits.some((exit) => of(`${exit}Limit`) && !of(exit))) return undefined;
      const exitOf = (exit: (typeof exits)[number]) => {
        const triggerPrice = priceOf(exit);
        return triggerPrice && { [exit]: { triggerPrice, ...given("limitPrice", priceOf(`${exit}Limit`)) } };
      };
      const tpsl = { ...exitOf("takeProfit"), ...exitOf("stopLoss") };
      return Object.keys(tpsl).length > 0 ? { tpsl } : undefined;
    }
  }
}

type Reader = (name: string) => string | undefined;

function icebergOf(of: Reader, priceOf: Reader): TermsInput | undefined {
  const isByQty = of("partsBy") === "qty";
  const qty = priceOf("parts");
  const count = whole(of("parts"));
  const parts = isByQty ? qty && { qty } : count && { count };
  const price = icebergPriceOf(of("priceBy"), priceOf("at"));
  if (!parts || price === undefined) return undefined;
  const worst = price.fixedPrice === undefined ? priceOf("worst") : undefined;
  return { iceberg: { parts, price, ...(worst !== undefined && { priceLimit: worst }) } };
}

type IcebergPrice = NonNullable<NonNullable<TermsInput["iceberg"]>["price"]>;

function icebergPriceOf(by: string | undefined, at: string | undefined): IcebergPrice | undefined {
  if (by === "QUEUE1" || by === "COUNTERPARTY1") return { bookPlace: by };
  if (at === undefined) return undefined;
  return by === "percent" ? { distancePercentage: at } : by === "quote" ? { distanceSpread: at } : { fixedPrice: at };
}

/** The orders of a scale; undefined while something is missing. */
export function scaleOf(ticket: Ticket, terms: Terms): readonly Part[] | undefined {
  const { values } = ticket;
  const { from, to, distribution = "equal" } = values;
  const [count, qty] = [whole(values.count), qtyOf(ticket, terms)];
  const isWhole = count !== undefined && count >= 2 && count <= MOST_PARTS;
  if (!isPositive(from) || !isPositive(to) || !isWhole || qty === undefined) return undefined;
  const steps = { price: stepOf(terms.instrument?.precision?.price ?? 8), qty: qtyStepOf(terms.instrument) };
  const parts = partsOf(
    { from, to, count, qty, distribution: DISTRIBUTIONS.find((one) => one === distribution) ?? "equal" },
    steps,
  );
  return parts.every((part) => isPositive(part.qty)) ? parts : undefined;
}

const DISTRIBUTIONS = ["equal", "rising", "falling"] as const;

/** The position that exits on this side close. */
export const closedBy = ({ side }: Ticket): "LONG" | "SHORT" => (side === "SELL" ? "LONG" : "SHORT");

/** The request of a strategy; undefined while something is missing. */
export function strategyRequest(
  strategy: Strategy,
  fields: readonly FieldRow[],
  ticket: Ticket,
  terms: Terms,
): Exclude<Input, { readonly as: "order" }> | undefined {
  const { account, isHedge, market } = terms;
  const { side } = ticket;
  const common = { category: market.category, symbol: market.symbol };
  const isFutures = futuresOf(market.category) !== undefined;
  const effect = {
    ...(isFutures && isHedge && hedge(ticket)),
    ...(isFutures && !isHedge && ticket.reduceOnly && { reduceOnly: true }),
  };
  if (strategy === "scale") {
    const parts = scaleOf(ticket, terms);
    const orders = parts?.map((part) => ({ ...common, side, orderType: "LIMIT" as const, ...part, ...effect }));
    return orders && { as: "many", input: { account, orders } };
  }
  const qty = qtyOf(ticket, terms);
  const given = termsOf(strategy, fields, ticket.values);
  // Nothing that is typed is left out, be it optional.
  const isLeftOut = (text: string | undefined) => text !== undefined && text !== "" && !isPositive(text);
  const isReadable = !fields.some(({ name, options }) => options === undefined && isLeftOut(ticket.values[name]));
  if (given === undefined || !isReadable || (ticket.size !== "" && qty === undefined)) return undefined;
  if (strategy === "tpsl")
    return {
      as: "plan",
      input: { account, ...common, posSide: closedBy(ticket), ...(qty !== undefined && { qty }), terms: given },
    };
  return qty === undefined ? undefined : { as: "plan", input: { account, ...common, side, qty, terms: given, ...effect } };
}
