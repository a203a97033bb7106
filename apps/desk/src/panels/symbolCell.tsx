import { words } from "../format/format.js";
import { addressOf } from "../state/route.js";
import { Tag } from "../ui/tag.js";

const SHORT = new Map([
  ["SPOT", "Spot"],
  ["MARGIN", "Margin"],
  ["USDT_FUTURES", "USDT"],
  ["USDC_FUTURES", "USDC"],
  ["COIN_FUTURES", "Coin"],
]);

/** A market with a link to its trade page. */
export const SymbolCell = ({ category, symbol }: { readonly category: string; readonly symbol: string }) => (
  <a href={addressOf("trade", category, symbol)}>
    {symbol} <Tag>{SHORT.get(category) ?? words(category)}</Tag>
  </a>
);

/** Long or short, buy or sell: as a word, with a colour. */
export const SideCell = ({ side }: { readonly side: string | null }) =>
  side === null ? null : <Tag tone={side === "BUY" || side === "LONG" ? "up" : "down"}>{words(side)}</Tag>;
