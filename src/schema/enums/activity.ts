import { type EnumValueOf, ownEnum } from "./exchangeEnum.js";

export const ActivityKind = ownEnum("ActivityKind", "Kind of an account's activity", {
  ORDER: "An order, open or finished, by the time at which it was placed",
  FILL: "An execution of an order",
  PLAN_ORDER: "A trigger order, waiting or ended, by the time at which it was placed",
  CONVERSION: "A conversion of one coin into another",
  LOAN: "A crypto loan, running or ended, by the time at which it was taken",
  LOAN_REPAYMENT: "A repayment of a crypto loan",
  LOAN_REDUCTION: "A sale of the collateral of a crypto loan",
  SAVINGS: "A movement into or out of savings",
  SHARK_FIN: "A movement into or out of a shark-fin product",
  DEPOSIT: "A deposit into the account",
  WITHDRAWAL: "A withdrawal from the account",
  TRANSFER:
    "A transfer to or from a wallet of the account: of a unified account the change of its balance, because the exchange lists no more of it",
  SUB_ACCOUNT_TRANSFER: "A transfer between a master account and a sub-account, which only the key of a master account can read",
  SUB_ACCOUNT_WITHDRAWAL: "A withdrawal from a sub-account of an ND broker, which only the broker's key can read",
  WRITE: "A write through this gateway",
});
export type ActivityKind = EnumValueOf<typeof ActivityKind>;

/** Kinds of activity of sub-accounts; only the key of a master account or a broker may read them. */
export const OF_SUB_ACCOUNTS: readonly ActivityKind[] = ["SUB_ACCOUNT_TRANSFER", "SUB_ACCOUNT_WITHDRAWAL"];
