import { t } from "../text/text.js";

/** The categories of arguments. */
export type Category = "SPOT" | "MARGIN" | "USDT_FUTURES" | "USDC_FUTURES" | "COIN_FUTURES";
export type Futures = Exclude<Category, "SPOT" | "MARGIN">;

export const CATEGORIES: readonly { readonly value: Category; readonly text: string }[] = [
  { value: "USDT_FUTURES", text: t("USDT futures") },
  { value: "USDC_FUTURES", text: t("USDC futures") },
  { value: "COIN_FUTURES", text: t("Coin futures") },
  { value: "SPOT", text: t("Spot") },
  { value: "MARGIN", text: t("Margin") },
];

/** The category of a name; undefined for one that this version does not know. */
export const categoryOf = (word: string | undefined): Category | undefined =>
  CATEGORIES.find(({ value }) => value === word)?.value;

export function futuresOf(word: string | undefined): Futures | undefined {
  const category = categoryOf(word);
  return category === "SPOT" || category === "MARGIN" ? undefined : category;
}
