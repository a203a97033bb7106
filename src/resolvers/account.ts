import type { ExchangeAccount } from "../datasources/index.js";
import { Account } from "../schema/account.js";
import { Broker } from "../schema/broker.js";
import { AccountMode } from "../schema/enums/account.js";
import { text } from "../schema/fields.js";
import { TradingHalt } from "../schema/halt.js";
import { Loans } from "../schema/loan.js";
import { Earn } from "../schema/sharkFin.js";
import { accountField, query, resolversOf } from "./fieldTable.js";

/** Scope that an account requires to be listed. */
const LISTED = "read:account";

/** An account, and the objects that group its fields by topic, which consist of the account alone. */
export const AccountResolver = resolversOf(Account, {
  mode: accountField(AccountMode, {
    description:
      "Account mode: Classic or unified. Cached for ten minutes. Source: GET /api/v3/account/settings, which a Classic account is refused",
    cost: { calls: 0 },
    resolve: (account: ExchangeAccount, { reads }) => reads.modeOf(account),
  }),
  halt: accountField.orNull(TradingHalt, {
    description:
      "The halt of trading that is in force for the account, its own or that of all; null if there is none. No upstream call",
    cost: { calls: 0 },
    resolve: (account: ExchangeAccount, { exchange, reads }) => {
      reads.trace.markFleeting();
      const halt = exchange.writes.halts.of(account);
      if (halt === undefined) return null;
      const { since, by, reason } = halt;
      return { account: halt.account === null ? null : account.name, startTime: since, by, reason };
    },
  }),
  loans: accountField(Loans, {
    description: "Crypto loans of the account: ongoing, past and in total",
    nullable: false,
    resolve: (account: ExchangeAccount) => account,
  }),
  earn: accountField(Earn, {
    description: "Earn products of the account: savings and shark-fin",
    nullable: false,
    resolve: (account: ExchangeAccount) => account,
  }),
  broker: accountField(Broker, {
    description: "The account as an ND broker: its sub-accounts and their withdrawals",
    nullable: false,
    resolve: (account: ExchangeAccount) => account,
  }),
});

export const AccountQueries = resolversOf(null, {
  accounts: query(LISTED, [Account], {
    description: "Accounts of this gateway that the client may read",
    nullable: false,
    cost: { finds: (_args, outlook) => outlook.accounts().map((account) => ({ count: 1, accounts: [account] })) },
    resolve: ({ principal: { rights }, exchange }) => exchange.accounts.filter(({ name }) => rights.on(LISTED, name)),
  }),
  account: query.orNull(LISTED, Account, {
    description: "One account; null if there is none of that name, or the client has no scope for it",
    accountIn: "name",
    cost: {
      finds({ name }, outlook) {
        const found = outlook.accounts().find((account, at) => (typeof name === "string" ? account.name === name : at === 0));
        return found === undefined ? [] : [{ count: 1, accounts: [found] }];
      },
    },
    args: {
      name: text.optional("Name of the account in this gateway. Default: the first account that the client has a scope for"),
    },
    resolve: ({ exchange }, { name }) => exchange.account(name) ?? null,
  }),
});
