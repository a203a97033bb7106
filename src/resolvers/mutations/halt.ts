import { Arg, Ctx, Mutation, Resolver } from "type-graphql";
import { badInput, type ExchangeAccount, Fault } from "../../datasources/index.js";
import { cancelOpenOrdersOfUser } from "../../datasources/writes/index.js";
import { Cost } from "../../schema/cost.js";
import { FuturesCategory } from "../../schema/enums/category.js";
import { PlanType } from "../../schema/enums/plan.js";
import { TradingHalt } from "../../schema/exchange.js";
import { flag, integer, listOf, of, text, word } from "../../schema/fields.js";
import { halts } from "../../schema/listLengths.js";
import { WritePayload } from "../../schema/mutations/write.js";
import { extended, fieldsOf, Input, RecordType } from "../../schema/record.js";
import { RequiresScope } from "../../schema/requiresScope.js";
import { SCOPES, type Scope } from "../../schema/scopes.js";
import type { RequestContext } from "../context.js";
import { NEVER_REFUSED } from "../fieldCosts.js";
import { Audited } from "./observeMutations.js";
import { settled } from "./write.js";

@Input("A halt of trading, for one account or for all. Set either `account` or `allAccounts: true`")
export class HaltTradingInput extends fieldsOf({
  account: text.optional("Name of the account in this gateway"),
  allAccounts: flag.optional("Halt every account; needs the scope for all accounts. Default: false"),
  reason: text.optional("Reason, shown in the errors of refused writes: at most 200 printable characters"),
  cancelOpen: flag.optional(
    "Also end everything that can add risk: cancel every open order, including those being sent, and every trigger order. Take-profits, stop-losses and trailing stops of existing positions stay: `kept` lists them. Default: false",
  ),
}) {}

@Input("The end of a halt, of one account or of all. Set either `account` or `allAccounts: true`")
export class ResumeTradingInput extends fieldsOf({
  account: text.optional("Name of the account in this gateway: ends its own halt"),
  allAccounts: flag.optional("End the halt of all accounts; accounts that are halted by name stay halted. Default: false"),
}) {}

@RecordType("An order that may still be open")
class CancelFailure extends fieldsOf({
  accountName: text("The account's name in this gateway; one of them if it has several"),
  orderId: text.orNull("The exchange's identifier; null where a list of orders could not be read"),
  symbol: text.orNull("Its symbol; null where it could not be read"),
  message: text("Reason why it was not cancelled"),
}) {}

@RecordType("A trigger order that a halt has kept, because it can only reduce a position")
class KeptOrder extends fieldsOf({
  accountName: text("The account's name in this gateway; one of them if it has several"),
  category: of(FuturesCategory)("Futures category"),
  orderId: text("The exchange's identifier"),
  symbol: text("Its symbol"),
  planType: word(PlanType).orNull("Kind of trigger order"),
}) {}

@RecordType("Trading that was halted", { implements: WritePayload })
export class HaltTradingPayload extends extended(WritePayload, {
  halts: listOf(TradingHalt, halts)("Halts now in force, of the accounts for which the scope is granted"),
  isDurable: flag(
    "Whether the halt survives a restart. False if it could not be stored yet: it is stored as soon as that can be done",
  ),
  cancelled: integer.orNull(
    "Orders and trigger orders that were cancelled, or had ended by themselves, those of an account with several names once; null unless `cancelOpen`",
  ),
  kept: listOf(
    KeptOrder,
    500,
  )("Trigger orders that were kept, because they can only reduce a position; empty unless `cancelOpen`"),
  cancelFailures: listOf(
    CancelFailure,
    500,
  )("Orders that may still be open, and lists of orders that could not be read; empty unless `cancelOpen`"),
}) {}

@RecordType("Trading that was resumed", { implements: WritePayload })
export class ResumeTradingPayload extends extended(WritePayload, {
  halts: listOf(TradingHalt, halts)("Halts still in force, of the accounts for which the scope is granted"),
  isDurable: flag("Whether the end survives a restart. False with a journal in memory, where halts end with the process too"),
}) {}

const OPERATING: Scope = "admin";
const INPUT = "Which accounts";
const REASON = /^[^\p{Cc}\p{Cs}]{1,200}$/u;

type Target = Pick<HaltTradingInput, "account" | "allAccounts">;

/** The halts that a client may see, by the current names of the halted accounts. */
export function visibleHalts({ principal: { rights }, exchange }: RequestContext): readonly TradingHalt[] {
  const { halts } = exchange.writes;
  return halts.all.flatMap((halt): readonly TradingHalt[] => {
    const { account, since, by, reason } = halt;
    const shown = { startTime: since, by, reason };
    if (account === null) return [{ account, ...shown }];
    const now = exchange.accounts.filter((one) => halts.isOf(one, halt)).map(({ name }) => name);
    const names = (now.length === 0 ? [account] : now).filter((name) => rights.on(OPERATING, name));
    return names.map((name) => ({ account: name, ...shown }));
  });
}

@Resolver()
export class HaltMutations {
  @RequiresScope(OPERATING, "input", "account")
  @Cost(NEVER_REFUSED)
  @Audited("allAccounts", "reason", "cancelOpen")
  @Mutation(() => HaltTradingPayload, {
    description:
      "Halts the trading of one account or of all until it is resumed. A halt survives restarts, and stays with the exchange's user if the account is renamed. During a halt only cancels, closes, take-profits and stop-losses are sent; orders that wait for rate budget are not. All other writes, including conversions and withdrawals, are refused with `TRADING_HALTED`. While the account's user is not known, other accounts may belong to it: their writes wait for the exchange's answer, and are refused with `EXCHANGE_UNAVAILABLE` without one. No upstream call except for `cancelOpen`, or if the account's user is not known yet",
  })
  haltTrading(
    @Arg("input", () => HaltTradingInput, { description: INPUT }) input: HaltTradingInput,
    @Ctx() context: RequestContext,
  ): Promise<HaltTradingPayload> {
    const nothing = { halts: [], isDurable: false, cancelled: null, kept: [], cancelFailures: [] };
    return settled(nothing, async () => {
      const { exchange, reads, principal } = context;
      const accounts = accountsOf(context, input);
      const { reason = null } = input;
      if (reason !== null && !REASON.test(reason))
        throw badInput([{ argument: "reason", rule: "must be text of 1 to 200 printable characters" }]);
      const account = accountOf(input, accounts);
      const cancelsOpen = input.cancelOpen === true;
      const halt = { account, since: reads.now(), by: principal.name, reason, cancelsOpen };
      const isDurable = await exchange.writes.halts.halt(halt);
      const cancels = cancelsOpen ? await exchange.writes.haltCancels.of(account, (names) => cancelsOf(context, names)) : [];
      return {
        halts: visibleHalts(context),
        isDurable,
        cancelled: cancelsOpen ? cancels.reduce((sum, { cancelled }) => sum + cancelled, 0) : null,
        kept: cancels.flatMap(({ kept }) => kept),
        cancelFailures: cancels.flatMap(({ failures }) => failures),
      };
    });
  }

  @RequiresScope(OPERATING, "input", "account")
  @Cost({ calls: 0 })
  @Audited("allAccounts")
  @Mutation(() => ResumeTradingPayload, {
    description:
      "Ends a halt of trading: of one account, or that of all accounts. If that cannot be stored, trading stays halted, with `JOURNAL_UNAVAILABLE`. Calls the exchange only if the account's user is not known yet",
  })
  resumeTrading(
    @Arg("input", () => ResumeTradingInput, { description: INPUT }) input: ResumeTradingInput,
    @Ctx() context: RequestContext,
  ): Promise<ResumeTradingPayload> {
    return settled({ halts: [], isDurable: false }, async () => {
      const account = accountOf(input, accountsOf(context, input));
      const isDurable = await context.exchange.writes.halts.resume(account);
      return { halts: visibleHalts(context), isDurable };
    });
  }
}

/** The account; null: all. */
const accountOf = ({ allAccounts }: Target, [account]: readonly ExchangeAccount[]): ExchangeAccount | null =>
  allAccounts === true ? null : (account ?? null);

/** The accounts of a halt. Throws unless exactly one of `account` and `allAccounts` is set, and is allowed. */
function accountsOf({ exchange, principal: { rights } }: RequestContext, target: Target): readonly ExchangeAccount[] {
  const { account = null, allAccounts } = target;
  if ((account === null) !== (allAccounts === true))
    throw badInput([{ argument: "account", rule: "must be given, or allAccounts: true, and not both" }]);
  if (account === null) {
    if (rights.grants[OPERATING] === "*") return exchange.accounts;
    throw new Fault("FORBIDDEN", `this needs the scope ${OPERATING} for all accounts: to ${SCOPES[OPERATING]}`, {
      scope: OPERATING,
    });
  }
  const found = exchange.account(account);
  if (found === undefined) throw badInput([{ argument: "account", rule: "must be the name of an account" }]);
  return [found];
}

async function cancelsOf({ writes }: RequestContext, names: readonly [ExchangeAccount, ...ExchangeAccount[]]) {
  const { cancelled, kept, failures, account } = await cancelOpenOrdersOfUser(writes, names);
  const failed = failures.map(({ orderId, symbol, why }) => ({ accountName: account.name, orderId, symbol, message: why }));
  return { cancelled, kept: kept.map((order) => ({ accountName: account.name, ...order })), failures: failed };
}
