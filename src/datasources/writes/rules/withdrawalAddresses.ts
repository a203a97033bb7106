import type { WITHDRAWAL_DESTINATIONS } from "@exchange-graph/contract/wallet";
import { Fault } from "../../errors/index.js";

/** An allowed destination of withdrawals. A missing field matches anything, except the tag. */
export interface AllowedAddress {
  /** Name of the withdrawing account. */
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

/** The destination of a withdrawal. */
type Withdrawal = AllowedAddress & { readonly account: string; readonly coin: string };

const HOW = "must be one that withdrawals may go to; nothing was sent";

/** Throws `FORBIDDEN` unless the rule allows the destination. */
export function refuseElsewhere(rule: WithdrawalRule, to: Withdrawal): void {
  if (rule === "anywhere" || rule.some((allowed) => covers(allowed, to))) return;
  throw new Fault("FORBIDDEN", `address ${HOW}`, { violations: [{ argument: "address", rule: HOW }] });
}

const covers = ({ address, tag, dest, account, coin, chain }: AllowedAddress, to: Withdrawal): boolean =>
  address === to.address &&
  tag === to.tag &&
  dest === to.dest &&
  (account ?? to.account) === to.account &&
  (coin ?? to.coin) === to.coin &&
  (chain === undefined || chain === to.chain);
