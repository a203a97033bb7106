/** Orders of the exchange itself, by their reason. */
const BY_TYPE = new Map([
  ["LIQUIDATION", "Liquidation"],
  ["REDUCE", "Reduced by the exchange"],
  ["DELIVERY", "Delivery"],
]);

/** The same for Classic accounts, by the side of the trade. */
const BY_SIDE = [
  { word: "BURST_", text: "Liquidation" },
  { word: "DTE_SYS_ADL_", text: "Auto-deleveraging" },
  { word: "REDUCE_", text: "Reduced by the exchange" },
  { word: "DELIVERY_", text: "Delivery" },
] as const;

interface Ended {
  readonly execType?: string | null;
  readonly tradeSide: string | null;
}

/** The exchange's reason for ending a position; undefined for orders of its owner. */
export const forcedBy = ({ execType, tradeSide }: Ended): string | undefined =>
  BY_TYPE.get(execType ?? "") ?? BY_SIDE.find(({ word }) => tradeSide?.startsWith(word))?.text;
