import type { subAccountWithdrawal } from "@exchange-graph/contract/broker";
import type { Coin, CoinChain } from "@exchange-graph/contract/coin";
import { exact, plain } from "@exchange-graph/contract/decimal";
import type { ParametersOf } from "@exchange-graph/contract/endpoint";
import { inCapitals } from "@exchange-graph/contract/letterCase";
import { isRead, type Row, rowsRead } from "@exchange-graph/contract/rows";
import type { WITHDRAWAL_DESTINATIONS } from "@exchange-graph/contract/wallet";
import { type ArgumentViolation, Fault } from "../../errors/index.js";
import { outside } from "./orderRules.js";

/** An allowed destination of withdrawals. A missing field matches anything, except the tag. */
export interface AllowedAddress {
  readonly account?: string | undefined;
  readonly coin?: string | undefined;
  readonly chain?: string | undefined;
  readonly dest: (typeof WITHDRAWAL_DESTINATIONS)[number];
  /** A chain address, or the receiver's user identifier; compared exactly. */
  readonly address: string;
  /** Several receivers may share an address with different tags, so a missing tag matches withdrawals without a tag only. */
  readonly tag?: string | undefined;
}

/** Allowed destinations: any, or those of a list. An empty list allows none. */
export type WithdrawalRule = "anywhere" | readonly AllowedAddress[];

type Destination = AllowedAddress & { readonly account: string; readonly coin: string };

const HOW = "must be an allowed withdrawal address; nothing was sent";

/** Throws `FORBIDDEN` unless the rule allows the destination. */
export function refuseElsewhere(rule: WithdrawalRule, to: Destination): void {
  if (rule === "anywhere" || rule.some((allowed) => covers(allowed, to))) return;
  throw new Fault("FORBIDDEN", `address ${HOW}`, { violations: [{ argument: "address", rule: HOW }] });
}

const covers = ({ address, tag, dest, account, coin, chain }: AllowedAddress, to: Destination): boolean =>
  address === to.address &&
  tag === to.tag &&
  dest === to.dest &&
  (account ?? to.account) === to.account &&
  (coin ?? to.coin) === to.coin &&
  (chain === undefined || chain === to.chain);

type Withdrawal = Pick<ParametersOf<typeof subAccountWithdrawal>, "coin" | "dest" | "chain" | "amount" | "tag">;

const isSameName = (one: string, other: string): boolean => inCapitals(one) === inCapitals(other);
const violation = (argument: string, rule: string): readonly ArgumentViolation[] => [{ argument, rule }];

/**
 * Violations of what the exchange lists about the coin and its chain: their names, the tag, and the amount. Whether withdrawals
 * are open changes within minutes, so the exchange decides that. Nothing is checked where the list, or a row of it that may be
 * the one, could not be read.
 */
export function brokenByCoin(coins: readonly Row<Coin>[], withdrawal: Withdrawal): readonly ArgumentViolation[] {
  const coin = rowsRead(coins).find((row) => isSameName(row.coin, withdrawal.coin));
  if (coin === undefined)
    return coins.length === 0 || !coins.every(isRead)
      ? []
      : violation("coin", "must be a coin that the exchange lists, such as USDT");
  if (withdrawal.dest === "internal_transfer") return [];
  const chains = rowsRead(coin.chains);
  if (chains.length < coin.chains.length) return [];
  if (chains.length === 0) return violation("coin", `must be a coin with a chain: ${coin.coin} cannot be withdrawn to one`);
  const { chain: name } = withdrawal;
  const chain = name === undefined ? chains[0] : chains.find((one) => isSameName(one.chain, name));
  if (chain === undefined)
    return violation("chain", `must be a chain of ${coin.coin}: ${chains.map((one) => one.chain).join(", ")}`);
  return brokenByChain(chain, withdrawal);
}

function brokenByChain(chain: CoinChain, { amount, tag }: Withdrawal): readonly ArgumentViolation[] {
  const { minWithdrawAmount: least, withdrawStep, withdrawPlaces } = chain;
  const finest = withdrawPlaces === null ? null : plain(exact(`1e-${withdrawPlaces}`));
  const step = withdrawStep === null || exact(withdrawStep).eq("0") ? finest : withdrawStep;
  return [
    ...(chain.isTagRequired === true && tag === undefined
      ? violation("tag", `must be given: addresses of ${chain.chain} have one`)
      : []),
    ...outside("amount", amount, {
      step,
      least: least === null ? undefined : { at: exact(least), rule: `must be at least ${least} over ${chain.chain}` },
    }),
  ];
}
