import { t } from "../../text/text.js";

/** The indicators by the name that settings keep. */
export const INDICATORS = [
  { value: "SMA_20", text: t("Average of 20 (SMA)") },
  { value: "EMA_50", text: t("Exponential average of 50 (EMA)") },
  { value: "BB_20", text: t("Bollinger bands of 20") },
  { value: "VWAP_14", text: t("Average by volume of 14 (VWAP)") },
  { value: "RSI_14", text: t("Relative strength of 14 (RSI)") },
  { value: "MACD", text: "MACD 12, 26, 9" },
] as const;
export type Indicator = (typeof INDICATORS)[number]["value"];
