import type { DecimalText } from "@exchange-graph/contract/decimal";

/** A blockchain for withdrawals of a coin, with the fee in the coin. */
export interface Chain {
  readonly name: string;
  readonly fee: DecimalText;
}

type Chains = readonly [main: Chain, ...others: Chain[]];

const chain = (name: string, fee: DecimalText): Chain => ({ name, fee });

/** The chains of every coin that can be withdrawn, its main chain first. */
export const CHAINS: ReadonlyMap<string, Chains> = new Map<string, Chains>([
  ["BTC", [chain("BTC", "0.00008")]],
  ["ETH", [chain("ERC20", "0.0006"), chain("ArbitrumOne", "0.0001")]],
  ["USDT", [chain("TRC20", "1"), chain("ERC20", "3.2"), chain("BEP20", "0.3")]],
  ["USDC", [chain("ERC20", "1.2"), chain("SOL", "0.8")]],
  ["TRX", [chain("TRC20", "1")]],
  ["XRP", [chain("Ripple", "0.2")]],
  ["LTC", [chain("LTC", "0.001")]],
  ["SOL", [chain("SOL", "0.005")]],
  ["BNB", [chain("BEP20", "0.0005")]],
  ["FTM", [chain("Fantom", "0.5")]],
  ["DOGE", [chain("DogeCoin", "4")]],
  ["ADA", [chain("Cardano", "0.8")]],
  ["SHIB", [chain("ERC20", "150000")]],
  ["UNI", [chain("ERC20", "0.3")]],
  ["SEI", [chain("SEI", "0.1")]],
  ["SUI", [chain("SUI", "0.06")]],
  ["POL", [chain("Polygon", "0.1")]],
  ["FIL", [chain("FIL", "0.02")]],
  ["LINK", [chain("ERC20", "0.2")]],
  ["TON", [chain("TON", "0.05")]],
  ["ARB", [chain("ArbitrumOne", "0.3")]],
  ["OP", [chain("Optimism", "0.3")]],
  ["DOT", [chain("Polkadot", "0.1")]],
  ["AVAX", [chain("C-Chain", "0.01")]],
]);

/** Chains whose addresses have a tag. */
export const TAGGED_CHAINS: ReadonlySet<string> = new Set(["Ripple", "TON"]);
