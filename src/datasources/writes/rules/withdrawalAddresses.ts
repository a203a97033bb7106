import type { WITHDRAWAL_DESTINATIONS } from "@exchange-graph/contract/wallet";
import { Fault } from "../../fault.js";

/** Somewhere money may be withdrawn to. What is left out may be anything, the tag excepted. */
export interface AllowedAddress {
  /** The account that withdraws, by its name here. */
  readonly account?: string | undefined;
  readonly coin?: string | undefined;
  readonly chain?: string | undefined;
  readonly dest: (typeof WITHDRAWAL_DESTINATIONS)[number];
  /** A chain address, or the receiver's user identifier; compared exactly. */
  readonly address: string;
  /** Many may share an address, and have a tag each: none is not the same as any. */
  readonly tag?: string | undefined;
}

/** Where money may go: anywhere, or to the places of a list. An empty list means nowhere. */
export type WithdrawalRule = "anywhere" | readonly AllowedAddress[];

/** Where a withdrawal is to go. */
type Withdrawal = AllowedAddress & { readonly account: string; readonly coin: string };

const HOW = "must be one that withdrawals may go to; nothing was sent";

/** Throws `FORBIDDEN` unless the rule lets money go there. */
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
