import { coins } from "@exchange-graph/contract/coin";
import { exact, plain } from "@exchange-graph/contract/decimal";
import { isNamed } from "@exchange-graph/contract/letterCase";
import { CHAINS, type Chain, TAGGED_CHAINS } from "../world/wallet/chains.js";
import { type Handler, open } from "./handler.js";

/** Coins with their chains. `traded`: those in which some instrument trades or settles; others are only withdrawn. */
export const coinHandlers = (traded: readonly string[]): readonly Handler[] => {
  const listed = [...new Set([...traded, ...CHAINS.keys()])];
  return [
    open(coins, ({ values }) =>
      listed.flatMap((coin, at) => (isNamed(coin, values.coin) ? [coinRow(coin, String(at + 1))] : [])),
    ),
  ];
};

const coinRow = (coin: string, coinId: string) => ({
  coinId,
  coin,
  transfer: "true",
  chains: (CHAINS.get(coin) ?? []).map(chainRow),
  areaCoin: "no",
});

/** As everywhere in this answer, flags are texts. */
const chainRow = ({ name, fee }: Chain) => ({
  chain: name,
  needTag: String(TAGGED_CHAINS.has(name)),
  withdrawable: "true",
  rechargeable: "true",
  withdrawFee: fee,
  extraWithdrawFee: "0",
  depositConfirm: "1",
  withdrawConfirm: "1",
  minDepositAmount: fee,
  minWithdrawAmount: plain(exact(fee).times("2")),
  browserUrl: "",
  contractAddress: "",
  withdrawStep: "0",
  withdrawMinScale: "8",
  congestion: "normal",
});
