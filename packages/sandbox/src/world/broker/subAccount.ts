import type { SUB_ACCOUNT_STATUSES } from "@exchange-graph/contract/broker";

/** A broker's record of a sub-account. Its balances are in the ledger under its own uid. */
export interface SubAccount {
  readonly uid: string;
  readonly brokerUid: string;
  /** User name, in e-mail form with the sub-account's own name in front. */
  readonly name: string;
  readonly email: string;
  readonly status: (typeof SUB_ACCOUNT_STATUSES)[number];
  readonly permissions: readonly string[];
  readonly label: string;
  readonly language: string;
  /** Unix ms. */
  readonly createdTime: number;
  readonly updatedTime: number;
}
