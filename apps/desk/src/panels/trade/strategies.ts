import { t } from "../../text/text.js";
import { type Category, futuresOf } from "../market.js";

export type Strategy = "trigger" | "oco" | "trailingStop" | "iceberg" | "twap" | "tpsl" | "scale";
type Mode = "CLASSIC" | "UNIFIED" | null;

/** What is typed into the fields of a strategy, by their names. */
export type Values = Readonly<Record<string, string>>;

export interface FieldRow {
  readonly name: string;
  readonly label: string;
  readonly unit: "quote" | "base" | "%" | "min" | "";
  readonly isOptional?: boolean;
  /** A choice instead of a number: the first option is the default. */
  readonly options?: readonly { readonly value: string; readonly text: string }[];
  /** Whether it has a meaning beside the others. Default: always. */
  readonly isShown?: (values: Values) => boolean;
  /** Paths of the input that its errors name. */
  readonly paths: readonly string[];
}

const price = (name: string, label: string, path: string, isOptional = false): FieldRow => ({
  ...{ name, label, unit: "quote", isOptional, paths: [path] },
});

/** An exit. Errors about it as a whole are shown at its trigger price. */
const exit = (name: string, label: string): FieldRow => ({
  ...{ name, label, unit: "quote", isOptional: true, paths: [`terms.tpsl.${name}.triggerPrice`, `terms.tpsl.${name}`] },
});

const triggerBy = (paths: readonly string[]): FieldRow => ({
  ...{ name: "by", label: t("Compared with"), unit: "", paths },
  options: [
    { value: "MARKET", text: t("Last price") },
    { value: "MARK", text: t("Mark price") },
  ],
});

const IN_PERCENT = { value: "percent", text: "%" };
export const INTERVALS = ["SECONDS_5", "SECONDS_10", "SECONDS_20", "SECONDS_30", "SECONDS_60"] as const;

/** The fields of a strategy for an account's mode and a category. A Classic account has fewer of them. */
export function fieldsOf(strategy: Strategy, category: Category, mode: Mode, quoteCoin: string): readonly FieldRow[] {
  const isUnified = mode !== "CLASSIC";
  const isFutures = futuresOf(category) !== undefined;
  const inQuote = { value: "quote", text: quoteCoin };
  switch (strategy) {
    case "trigger":
      return [
        price("trigger", t("Trigger price"), "terms.trigger.triggerPrice"),
        price("limit", t("Limit price (default: at market)"), "terms.trigger.limitPrice", true),
        ...(isFutures ? [triggerBy(["terms.trigger.triggerBy"])] : []),
      ];
    case "oco":
      return [
        price("limit", t("Limit price"), "terms.oco.limitPrice"),
        price("trigger", t("Trigger price of the other order"), "terms.oco.triggerPrice"),
        price("execute", t("Its limit price (default: at market)"), "terms.oco.executePrice", true),
      ];
    case "trailingStop":
      return [
        {
          ...{ name: "distance", label: t("Distance from the best price"), unit: "" },
          paths: ["terms.trailingStop.distance.rate", "terms.trailingStop.distance.spread"],
        },
        ...(isUnified
          ? [{ ...{ name: "distanceBy", label: t("Distance in"), unit: "" as const }, options: [IN_PERCENT, inQuote], paths: [] }]
          : []),
        price(
          "activation",
          isUnified ? t("Activation price (default: at once)") : t("Activation price"),
          "terms.trailingStop.activationPrice",
          isUnified,
        ),
        ...(isUnified ? [price("limit", t("Limit price (default: at market)"), "terms.trailingStop.limitPrice", true)] : []),
      ];
    case "iceberg":
      return [
        {
          ...{ name: "parts", label: t("Parts"), unit: "" },
          paths: ["terms.iceberg.parts.count", "terms.iceberg.parts.qty"],
        },
        {
          ...{ name: "partsBy", label: t("Parts as"), unit: "", paths: [] },
          options: [
            { value: "count", text: t("Number of orders") },
            { value: "qty", text: t("Quantity of an order") },
          ],
        },
        {
          ...{ name: "priceBy", label: t("Price of the parts"), unit: "", paths: ["terms.iceberg.price.bookPlace"] },
          options: [
            { value: "QUEUE1", text: t("Best of its own side") },
            { value: "COUNTERPARTY1", text: t("Best of the other side") },
            { value: "percent", text: t("At a distance, %") },
            { value: "quote", text: t("At a distance, {quoteCoin}", { quoteCoin }) },
            { value: "fixed", text: t("At a price") },
          ],
        },
        {
          ...{ name: "at", label: t("Distance or price"), unit: "", isOptional: true },
          isShown: ({ priceBy = "" }) => ["percent", "quote", "fixed"].includes(priceBy),
          paths: [
            "terms.iceberg.price.fixedPrice",
            "terms.iceberg.price.distancePercentage",
            "terms.iceberg.price.distanceSpread",
          ],
        },
        {
          ...price("worst", t("Worst price (default: any)"), "terms.iceberg.priceLimit", true),
          isShown: ({ priceBy }) => priceBy !== "fixed",
        },
      ];
    case "twap":
      return [
        { name: "minutes", label: t("Duration"), unit: "min", paths: ["terms.twap.durationMinutes"] },
        {
          ...{ name: "interval", label: t("Time between two parts"), unit: "", paths: ["terms.twap.intervalSeconds"] },
          options: INTERVALS.map((value) => ({ value, text: `${value.replace("SECONDS_", "")} s` })),
        },
        {
          ...{ name: "offset", label: t("Limit orders at a distance (default: at market)"), unit: "", isOptional: true },
          paths: ["terms.twap.limitOffset.percentage", "terms.twap.limitOffset.spread"],
        },
        {
          ...{ name: "offsetBy", label: t("Distance in"), unit: "", paths: [] },
          options: [{ value: "percent", text: t("Share, 0.001 to 0.1") }, inQuote],
        },
        price("trigger", t("Begins at (default: at once)"), "terms.twap.triggerPrice", true),
        price("end", t("Ends at (default: at no price)"), "terms.twap.terminationPrice", true),
      ];
    case "tpsl":
      return [
        exit("takeProfit", t("Take profit")),
        price("takeProfitLimit", t("Its limit price (default: at market)"), "terms.tpsl.takeProfit.limitPrice", true),
        exit("stopLoss", t("Stop loss")),
        price("stopLossLimit", t("Its limit price (default: at market)"), "terms.tpsl.stopLoss.limitPrice", true),
      ];
    case "scale":
      return [
        price("from", t("Start price"), "price"),
        price("to", t("End price"), "price"),
        { name: "count", label: t("Number of orders"), unit: "", paths: [] },
        {
          ...{ name: "distribution", label: t("Distribution"), unit: "", paths: [] },
          options: [
            { value: "equal", text: t("Equal") },
            { value: "rising", text: t("More at the end price") },
            { value: "falling", text: t("More at the start price") },
          ],
        },
      ];
  }
}

/** The strategies that an account has in a category: those of Classic accounts are for futures alone. */
export function strategiesOf(category: Category, mode: Mode): readonly { readonly value: Strategy; readonly text: string }[] {
  const isFutures = futuresOf(category) !== undefined;
  const isUnified = mode !== "CLASSIC";
  return [
    ...(isUnified || isFutures
      ? [
          { value: "trigger" as const, text: t("Trigger order") },
          { value: "trailingStop" as const, text: t("Trailing stop") },
        ]
      : []),
    ...(isUnified
      ? [
          { value: "oco" as const, text: t("OCO (one cancels the other)") },
          { value: "iceberg" as const, text: t("Iceberg") },
          { value: "twap" as const, text: t("TWAP (in parts over time)") },
        ]
      : []),
    ...(isFutures ? [{ value: "tpsl" as const, text: t("Exits of a position") }] : []),
    { value: "scale" as const, text: t("Scale (orders between two prices)") },
  ];
}
