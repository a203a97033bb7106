import { Account } from "./account.js";
import { FinancialRecordCategory } from "./enums/financialRecord.js";
import { BackfillStatus, CoinPool, EquityGapReason, EquityInterval, EquitySource, UnknownFigureReason } from "./enums/history.js";
import { decimal, integer, listOf, of, text, time } from "./fields.js";
import { equityPoints } from "./listLengths.js";
import { extended, fieldsOf, RecordType } from "./record.js";
import { AccountEvent } from "./streamStatus.js";

/** Assumed number of coins of an account that are not zero. */
const HELD_COINS = 30;
/** Accounts without a record, of which ten are assumed. */
const missing = (what: string) =>
  listOf(Account, 10)(`Accounts that were asked for and of which nothing is recorded in the range: ${what}`);

@RecordType("Coins of one kind in one purse at the time of a sample. Amounts are in the coin, exact")
export class HeldCoin extends fieldsOf({
  pool: of(CoinPool)("The purse"),
  coin: text("Coin, for example `USDT`"),
  balance: decimal("Balance, without unrealised profit"),
  unrealisedPnl: decimal("Unrealised profit and loss of the positions that are settled in the coin"),
  debt: decimal("What is owed"),
  price: decimal.orNull("Price of one coin in USDT; null without a market with USDT: the coin then counts as worthless"),
  equity: decimal("Balance plus unrealised profit less debt"),
}) {}

@RecordType(
  "Why equity changed since the point before, in USDT, exact: changes of balances at the prices of the later point. `total` is the sum of all others, and the difference of the two equities. Source: the account's financial records",
)
export class EquityChange extends fieldsOf({
  deposits: decimal("Coins from a chain or another user"),
  withdrawals: decimal("Coins to a chain or another user, below zero"),
  transfers: decimal("Coins from and to other purses and accounts: funding, margin and sub-accounts"),
  loans: decimal("Crypto loans and their pledges"),
  earn: decimal("Coins put into earn products, and taken out"),
  flows: decimal("What is no profit or loss: deposits + withdrawals + transfers + loans + earn"),
  trades: decimal("Profit and loss of closed positions, and the difference between what was bought and what was paid for it"),
  fees: decimal("Trading fees, below zero where they were paid"),
  funding: decimal("Funding of perpetual positions, paid (below zero) and received"),
  interest: decimal("Interest of debts, paid or owed (below zero), and interest of earn products"),
  other: decimal("Rewards, copy trading, and what the exchange lists as something else"),
  unrealised: decimal("Change of the unrealised profit of open positions"),
  revaluation: decimal("Changed prices of the coins that were held, less those that were owed"),
  rounding: decimal(
    "What the exchange's balances lack of its records: less than 0.0000001 of each coin, since it cuts them at 8 decimals",
  ),
  unexplained: decimal(
    "Change of balances without a record: 0 while the exchange has listed every change. A record that is listed late makes it 0 then",
  ),
  total: decimal("Difference of the two equities"),
}) {}

@RecordType("What an account was worth at the end of an interval. Amounts are in USDT, exact")
export class EquityPoint extends fieldsOf({
  time: time("End of the interval"),
  sampledTime: time("The exchange's time of the sample: the last one of the interval"),
  source: of(EquitySource)("Source of the sample"),
  comparedTime: time.orNull("When the account's lists had last been compared with the exchange; null if they had not been"),
  equity: decimal("Exact sum of the coins at their prices: balance plus unrealised profit less debt"),
  low: decimal("Lowest equity of the interval's samples"),
  high: decimal("Highest equity of the interval's samples"),
  samples: integer("Number of samples in the interval"),
  unrealisedPnl: decimal("Unrealised profit and loss of open positions"),
  debt: decimal("What is owed"),
  marginInUse: decimal.orNull("Initial margin of positions, and of open orders of a unified account; null if it was not known"),
  coins: listOf(HeldCoin, HELD_COINS)("Coins that were not zero, with the prices used"),
  change: of(EquityChange).orNull(
    "Why equity changed since the point before, of which it may be outside the range; null where that point or a part of the changes is not known",
  ),
}) {}

@RecordType("A time without samples")
export class EquityGap extends fieldsOf({
  startTime: time("Time of the last sample before it, or the start of the first interval without one"),
  endTime: time("End of its last interval"),
  reason: of(EquityGapReason)("Why there is no sample"),
}) {}

@RecordType("What an account was worth over time, as the gateway has recorded it. No upstream call")
export class EquityHistory extends fieldsOf({
  interval: of(EquityInterval)("Interval of the points"),
  points: listOf(EquityPoint, equityPoints)("Recorded points, the earliest first. An interval without a sample has none"),
  gaps: listOf(EquityGap, equityPoints)("Times between the points without samples, the earliest first"),
  changesStartTime: time.orNull("From here on changes of balances are known; null if none are"),
  changesEndTime: time.orNull("Until here changes of balances are known; null if none are"),
  missingAccounts: missing("the points do not contain them"),
}) {}

@RecordType(
  "How far what the account was worth before its first sample is rebuilt from the exchange's histories, backwards. For a progress bar: it changes every few seconds while it is `RUNNING`",
)
export class HistoryBackfill extends fieldsOf({
  status: of(BackfillStatus)("State of the reconstruction"),
  startTime: time.orNull("How far back it will reach; null while it is `WAITING`"),
  endTime: time.orNull("Time of the first recorded sample, from which it goes back; null while it is `WAITING`"),
  reachedTime: time.orNull("From here on the past is rebuilt; null while it is `WAITING`"),
  share: decimal("Rebuilt share of the time between `startTime` and `endTime`, from 0 to 1, with at most 4 decimals"),
}) {}

@RecordType("A figure that may not be known")
export class PerformanceFigure extends fieldsOf({
  value: decimal.orNull("The figure; null if it is not known"),
  reason: of(UnknownFigureReason).orNull("Why it is not known; null if it is"),
}) {}

const figure = of(PerformanceFigure);

@RecordType(
  "Performance over a range of time, computed from recorded samples and the account's financial records. Ratios are fractions with at most 10 decimals: 0.05 is 5 %. Amounts are in USDT. No upstream call",
)
export class Performance extends fieldsOf({
  account: of(Account).orNull("The account; null for all of them together"),
  category: of(FinancialRecordCategory).orNull("Product category; null except in rows by category and by symbol"),
  symbol: text.orNull("Symbol; of rows by symbol. Null in such a row: what has no symbol"),
  missingAccounts: missing("the row does not contain them"),
  startTime: time("End of the interval of the first sample"),
  endTime: time(
    "End of the interval of the last sample whose changes of balances are known; of a running interval it is later than now",
  ),
  equityAtStart: decimal.orNull("Equity at the first sample; null for a category or symbol"),
  equityAtEnd: decimal.orNull("Equity at the last sample; null for a category or symbol"),
  change: of(EquityChange).orNull("Why equity changed between the two; null for a category or symbol, and where it is not known"),
  timeWeightedReturn: figure(
    "Product of (equity at the end of an interval − flows in it) ÷ equity at its start, over all intervals, − 1. Flows count at the end of their interval",
  ),
  moneyWeightedReturn: figure(
    "Modified Dietz: (equity at the end − equity at the start − flows) ÷ (equity at the start + each flow × the share of the time after it)",
  ),
  maxDrawdown: figure("Largest fall of the time-weighted index from a peak, as a fraction of the peak, positive"),
  longestDrawdownSeconds: integer.orNull(
    "Longest time from a peak of the time-weighted index until it was reached again, or until the last sample; null for a category or symbol, and where the index is not known",
  ),
  volatility: figure("Standard deviation of daily returns (of a sample, n − 1) × √365"),
  sharpe: figure("Mean daily return ÷ standard deviation of daily returns × √365; risk-free rate 0"),
  sortino: figure("Mean daily return ÷ root of the mean square of daily returns below zero × √365"),
  calmar: figure("Mean daily return × 365 ÷ maximum drawdown"),
  realised: decimal("Profit and loss of closed futures positions, without fees and funding"),
  fees: decimal("Trading fees, below zero where they were paid"),
  funding: decimal("Funding, paid (below zero) and received"),
  closings: integer("Number of futures executions that closed or reduced a position with a profit or loss"),
  winRate: figure("Share of `closings` with a profit"),
  profitFactor: figure("Profits of `closings` ÷ their losses"),
  expectancy: figure("Mean profit and loss of `closings`"),
}) {}

@RecordType("Profit of a day, in UTC. Amounts are in USDT, exact")
export class ProfitDay extends fieldsOf({
  startTime: time("Start of the day"),
  profit: decimal.orNull("Change of equity less flows; null where that is not known"),
  flows: decimal.orNull("Deposits, withdrawals, transfers, loans and earn; null where they are not known"),
  dailyReturn: figure("Profit ÷ equity at the start of the day"),
  equity: decimal("Equity at the last sample of the day"),
  missingAccounts: missing("the day does not contain them"),
}) {}

@RecordType("An event of an account's equity: the next recorded interval")
export class EquityEvent extends extended(AccountEvent, {
  point: of(EquityPoint).orNull("The sample; null for a gap"),
  gap: of(EquityGap).orNull("The gap; null for a sample"),
}) {}
