import type { DecimalText } from "../../../decimal.js";

/** How a coin leaves the exchange: its main chain, and what a withdrawal costs in the coin. */
interface Chain {
  readonly name: string;
  readonly fee: DecimalText;
}

const chain = (name: string, fee: DecimalText): Chain => ({ name, fee });

/** Every coin that a broker may withdraw from a sub-account. */
export const MAIN_CHAINS: ReadonlyMap<string, Chain> = new Map([
  ["BTC", chain("BTC", "0.00008")],
  ["ETH", chain("ERC20", "0.0006")],
  ["USDT", chain("TRC20", "1")],
  ["USDC", chain("ERC20", "1.2")],
  ["TRX", chain("TRC20", "1")],
  ["XRP", chain("Ripple", "0.2")],
  ["LTC", chain("LTC", "0.001")],
  ["SOL", chain("SOL", "0.005")],
  ["BNB", chain("BEP20", "0.0005")],
  ["FTM", chain("Fantom", "0.5")],
  ["DOGE", chain("DogeCoin", "4")],
  ["ADA", chain("Cardano", "0.8")],
  ["SHIB", chain("ERC20", "150000")],
  ["UNI", chain("ERC20", "0.3")],
  ["SEI", chain("SEI", "0.1")],
  ["SUI", chain("SUI", "0.06")],
  ["POL", chain("Polygon", "0.1")],
  ["FIL", chain("FIL", "0.02")],
  ["LINK", chain("ERC20", "0.2")],
  ["TON", chain("TON", "0.05")],
  ["ARB", chain("ArbitrumOne", "0.3")],
  ["OP", chain("Optimism", "0.3")],
  ["DOT", chain("Polkadot", "0.1")],
  ["AVAX", chain("C-Chain", "0.01")],
]);
