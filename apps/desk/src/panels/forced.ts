import { t } from "../text/text.js";

/** Orders of the exchange itself, by their reason. */
const BY_TYPE = new Map([
  ["LIQUIDATION", t("Liquidation")],
  ["REDUCE", t("Reduced by the exchange")],
  ["DELIVERY", t("Delivery")],
]);

/** The same for Classic accounts, by the side of the trade. */
const BY_SIDE = [
  { word: "BURST_", text: t("Liquidation") },
  { word: "DTE_SYS_ADL_", text: t("Auto-deleveraging") },
  { word: "REDUCE_", text: t("Reduced by the exchange") },
  { word: "DELIVERY_", text: t("Delivery") },
] as const;

interface Ended {
  readonly execType?: string | null;
  readonly tradeSide: string | null;
}

/** The exchange's reason for ending a position; undefined for orders of its owner. */
export const forcedBy = ({ execType, tradeSide }: Ended): string | undefined =>
  BY_TYPE.get(execType ?? "") ?? BY_SIDE.find(({ word }) => tradeSide?.startsWith(word))?.text;
