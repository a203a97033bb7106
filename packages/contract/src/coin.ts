import {
  type Decoded,
  id,
  optionalDecimal,
  optionalFlag,
  optionalInteger,
  optionalPlaces,
  optionalText,
  optionalToken,
} from "./codec.js";
import { endpoint, perSecond } from "./endpoint.js";
import { list, listOf } from "./lists.js";
import { coinName, maybe } from "./parameter.js";
import { record } from "./record.js";

/** Coins, and the blockchains over which they are deposited and withdrawn. */

export const CONGESTION = ["normal", "congested"] as const;

export const coinChain = record({
  chain: id("Name of the chain, as withdrawals take it, for example `TRC20`"),
  isTagRequired: optionalFlag("Do addresses have a tag or memo? (`needTag`)", "needTag"),
  isWithdrawable: optionalFlag("Are withdrawals open? This changes within minutes (`withdrawable`)", "withdrawable"),
  isDepositable: optionalFlag("Are deposits open? This changes within minutes (`rechargeable`)", "rechargeable"),
  withdrawFee: optionalDecimal("Fee of a withdrawal, in the coin"),
  burnRate: optionalDecimal(
    "Share of a withdrawal that the chain destroys, as a fraction (`extraWithdrawFee`)",
    "extraWithdrawFee",
  ),
  depositConfirmations: optionalInteger("Blocks until a deposit is credited (`depositConfirm`)", "depositConfirm"),
  withdrawConfirmations: optionalInteger("Blocks until a deposit can be withdrawn (`withdrawConfirm`)", "withdrawConfirm"),
  minDepositAmount: optionalDecimal("Smallest deposit, in the coin"),
  minWithdrawAmount: optionalDecimal("Smallest withdrawal, in the coin"),
  withdrawStep: optionalDecimal("Withdrawals are a multiple of it, in the coin; 0: of nothing"),
  withdrawPlaces: optionalPlaces("Decimals of a withdrawal (`withdrawMinScale`)", "withdrawMinScale"),
  contractAddress: optionalText("Address of the coin's contract on the chain; null for the chain's own coin"),
  explorerUrl: optionalText("Block explorer (`browserUrl`)", "browserUrl"),
  congestion: optionalToken("State of the network", CONGESTION),
});
export type CoinChain = Decoded<typeof coinChain>;

export const coin = record({
  coin: id("Coin, for example `USDT`"),
  isTransferable: optionalFlag("Can it be moved between the wallets of an account? (`transfer`)", "transfer"),
  isRegional: optionalFlag("Is it restricted to a region? (`areaCoin`)", "areaCoin"),
  chains: list("Chains over which it is deposited and withdrawn", coinChain),
});
export type Coin = Decoded<typeof coin>;

export const coins = endpoint({
  name: "coins",
  doc: "Coins with their chains, the fees and minimums of deposits and withdrawals",
  path: "/api/v2/spot/public/coins",
  rate: perSecond(3, "IP"),
  // Chains are opened and closed within minutes.
  cache: { freshMs: 60_000, staleMs: 300_000 },
  parameters: { coin: maybe("Coin. Default: all of them", coinName()) },
  data: listOf(coin),
});
