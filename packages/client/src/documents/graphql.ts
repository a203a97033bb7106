/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** Account mode: which of the exchange's two kinds of account it is */
export type AccountMode =
  /** Separate spot, margin and futures accounts */
  | 'CLASSIC'
  /** One unified trading account, UTA, with several coins as shared margin */
  | 'UNIFIED';

/** Kind of an account's activity */
export type ActivityKind =
  /** A conversion of one coin into another */
  | 'CONVERSION'
  /** A deposit into the account */
  | 'DEPOSIT'
  /** An execution of an order */
  | 'FILL'
  /** A crypto loan, running or ended, by the time at which it was taken */
  | 'LOAN'
  /** A sale of the collateral of a crypto loan */
  | 'LOAN_REDUCTION'
  /** A repayment of a crypto loan */
  | 'LOAN_REPAYMENT'
  /** An order, open or finished, by the time at which it was placed */
  | 'ORDER'
  /** A trigger order, waiting or ended, by the time at which it was placed */
  | 'PLAN_ORDER'
  /** A movement into or out of savings */
  | 'SAVINGS'
  /** A movement into or out of a shark-fin product */
  | 'SHARK_FIN'
  /** A transfer between a master account and a sub-account, which only the key of a master account can read */
  | 'SUB_ACCOUNT_TRANSFER'
  /** A withdrawal from a sub-account of an ND broker, which only the broker's key can read */
  | 'SUB_ACCOUNT_WITHDRAWAL'
  /** A transfer to or from a wallet of the account: of a unified account the change of its balance, because the exchange lists no more of it */
  | 'TRANSFER'
  /** A withdrawal from the account */
  | 'WITHDRAWAL'
  /** A write through this gateway */
  | 'WRITE';

/** A code of the error registry: the same as in `extensions.code` of an error */
export type ErrorCode =
  /** This is not available in the account's mode (Classic or unified). Retryable while the account changes its mode (`40115`) */
  | 'ACCOUNT_MODE_MISMATCH'
  /** The audit is required and cannot be written; nothing was sent */
  | 'AUDIT_UNAVAILABLE'
  /** An argument breaks a rule; nothing was sent. `violations` lists argument and rule */
  | 'BAD_USER_INPUT'
  /** Nothing of the batch was sent, because others of its orders were refused. The message names them */
  | 'BATCH_REFUSED'
  /** The client disconnected before its call was sent; nothing was sent */
  | 'CLIENT_GONE'
  /** Another order already has this clientOid */
  | 'DUPLICATE_CLIENT_OID'
  /** The exchange's answer, or a row of it, breaks its interface; the text names the place. Not retryable if the same answer would come again */
  | 'EXCHANGE_BAD_RESPONSE'
  /** The exchange refused; `exchange` has its own code and text */
  | 'EXCHANGE_REJECTED'
  /** The exchange did not answer before the deadline */
  | 'EXCHANGE_TIMEOUT'
  /** The exchange could not be reached, or says it is out of service */
  | 'EXCHANGE_UNAVAILABLE'
  /** The client, or the exchange key behind the account, may not do this. `scope` names the scope that the client lacks */
  | 'FORBIDDEN'
  /** The history of accounts cannot be read now; not retryable if this gateway records none */
  | 'HISTORY_UNAVAILABLE'
  /** This idempotency key was used with another input */
  | 'IDEMPOTENCY_KEY_REUSED'
  /** The balance of the account is too low */
  | 'INSUFFICIENT_BALANCE'
  /** An internal error. The log has the details */
  | 'INTERNAL_SERVER_ERROR'
  /** The journal of writes is full, locked or cannot be reached; nothing was sent */
  | 'JOURNAL_UNAVAILABLE'
  /** A limit of the gateway would be exceeded; nothing was sent. The message names the limit and the figures */
  | 'LIMIT_EXCEEDED'
  /** The exchange has no such order */
  | 'ORDER_NOT_FOUND'
  /** The gateway is overloaded; nothing was started. `retryAfterMs` says when to try again */
  | 'OVERLOADED'
  /** The operation is larger than the limits allow; nothing was sent */
  | 'QUERY_TOO_EXPENSIVE'
  /** No rate budget before the deadline. `retryAfterMs` says when to try again */
  | 'RATE_LIMITED'
  /** Trading is halted for this account: only writes that reduce risk are sent until an administrator resumes trading */
  | 'TRADING_HALTED'
  /** The client is unknown, or its token has expired */
  | 'UNAUTHENTICATED'
  /** The gateway is stopping, or none can be reached; nothing was started. Another one may answer */
  | 'UNAVAILABLE';

/** Kind of product to which a change of a balance belongs (`category`); of a Classic account the account of that product */
export type FinancialRecordCategory =
  /** Futures margined and settled in their base coin, such as BTCUSD */
  | 'COIN_FUTURES'
  /** Spot with borrowed coins, with loans and interest; Classic: everything in the margin account */
  | 'MARGIN'
  /** No product: transfers between wallets and whatever else; unified accounts only */
  | 'OTHER'
  /** Spot; Classic: everything in the spot account, transfers and deposits included */
  | 'SPOT'
  /** A value that this version does not recognize; the `Raw` field beside it has the exchange's text */
  | 'UNRECOGNIZED'
  /** Futures margined and settled in USDC, such as BTCPERP */
  | 'USDC_FUTURES'
  /** Futures margined and settled in USDT, such as BTCUSDT */
  | 'USDT_FUTURES';

/** Cause of a change of a balance; `type` has the exchange's own word */
export type FinancialRecordKind =
  /** Margin that was borrowed or repaid */
  | 'BORROWING'
  /** One coin exchanged for another at a quoted price, or for a debt */
  | 'CONVERSION'
  /** Copy trading: a share of profit, or coins that followed a trader */
  | 'COPY_TRADING'
  /** Coins from a chain or from another user */
  | 'DEPOSIT'
  /** Savings and other earn products, with their interest */
  | 'EARN'
  /** A fee that was taken separately */
  | 'FEE'
  /** Funding of a perpetual position, paid or received */
  | 'FUNDING'
  /** Interest of borrowed margin */
  | 'INTEREST'
  /** A liquidation, or a loss that the insurance fund paid */
  | 'LIQUIDATION'
  /** A crypto loan or its pledge */
  | 'LOAN'
  /** Something else that the exchange lists by itself */
  | 'OTHER'
  /** A bonus, rebate or airdrop, or the end of one */
  | 'REWARD'
  /** A fill of an order, with its profit or loss and its fee */
  | 'TRADE'
  /** A transfer between wallets of the account, or with a sub-account */
  | 'TRANSFER'
  /** A value that this version does not recognize; the `Raw` field beside it has the exchange's text */
  | 'UNRECOGNIZED'
  /** Coins to a chain or to another user */
  | 'WITHDRAWAL';

/** Futures by the coin of the margin (`category`; Classic: `productType`) */
export type FuturesCategory =
  /** Futures margined and settled in their base coin, such as BTCUSD */
  | 'COIN_FUTURES'
  /** A value that this version does not recognize; the `Raw` field beside it has the exchange's text */
  | 'UNRECOGNIZED'
  /** Futures margined and settled in USDC, such as BTCPERP */
  | 'USDC_FUTURES'
  /** Futures margined and settled in USDT, such as BTCUSDT */
  | 'USDT_FUTURES';

/** Futures by the coin of the margin (`category`; Classic: `productType`). For arguments and inputs: `FuturesCategory` without `UNRECOGNIZED` */
export type FuturesCategoryInput =
  /** Futures margined and settled in their base coin, such as BTCUSD */
  | 'COIN_FUTURES'
  /** Futures margined and settled in USDC, such as BTCPERP */
  | 'USDC_FUTURES'
  /** Futures margined and settled in USDT, such as BTCUSDT */
  | 'USDT_FUTURES';

/** State of trading in an instrument */
export type InstrumentStatus =
  /** Positions can be opened, not closed */
  | 'LIMIT_CLOSE'
  /** Positions can be closed, not opened */
  | 'LIMIT_OPEN'
  /** Listed, not yet tradable */
  | 'LISTED'
  /** Under maintenance, not tradable */
  | 'MAINTAIN'
  /** Not tradable: delisted */
  | 'OFFLINE'
  /** It can be traded */
  | 'ONLINE'
  /** Not tradable through the API */
  | 'RESTRICTED_API'
  /** A value that this version does not recognize; the `Raw` field beside it has the exchange's text */
  | 'UNRECOGNIZED';

/** Whether a sale of collateral is finished */
export type LoanReductionStatus =
  /** It is finished */
  | 'COMPLETE'
  /** A value that this version does not recognize; the `Raw` field beside it has the exchange's text */
  | 'UNRECOGNIZED'
  /** It is under way */
  | 'WAIT';

/** How a loan ended */
export type LoanStatus =
  /** The collateral was liquidated */
  | 'FORCE'
  /** It was repaid */
  | 'REPAY'
  /** The grant failed and was taken back */
  | 'ROLLBACK'
  /** A value that this version does not recognize; the `Raw` field beside it has the exchange's text */
  | 'UNRECOGNIZED';

/** Margin mode of a position */
export type MarginMode =
  /** The account's whole balance of the margin coin, shared with its other cross positions */
  | 'CROSSED'
  /** Only the margin that was assigned to this position */
  | 'ISOLATED'
  /** A value that this version does not recognize; the `Raw` field beside it has the exchange's text */
  | 'UNRECOGNIZED';

/** State of margin trading in a pair; the exchange writes it as a number */
export type MarginPairStatus =
  /** Under temporary maintenance (`2`) */
  | 'MAINTENANCE'
  /** Can be traded on margin (`1`) */
  | 'TRADABLE'
  /** A value that this version does not recognize; the `Raw` field beside it has the exchange's text */
  | 'UNRECOGNIZED';

/** Whether base coin is bought or sold */
export type OrderSide =
  /** Base coin is bought: a long is opened or a short closed */
  | 'BUY'
  /** Base coin is sold: a short is opened or a long closed */
  | 'SELL'
  /** A value that this version does not recognize; the `Raw` field beside it has the exchange's text */
  | 'UNRECOGNIZED';

/** Whether base coin is bought or sold. For arguments and inputs: `OrderSide` without `UNRECOGNIZED` */
export type OrderSideInput =
  /** Base coin is bought: a long is opened or a short closed */
  | 'BUY'
  /** Base coin is sold: a short is opened or a long closed */
  | 'SELL';

/** State of an order (`orderStatus`) */
export type OrderStatus =
  /** Done: cancelled, possibly after filling in part (also spelt `canceled`). An order with a trigger price also ends so if it was triggered and could not be placed (`fail_execute`) */
  | 'CANCELLED'
  /** Done: filled whole */
  | 'FILLED'
  /** Open, nothing filled yet (also spelt `live` and `init`) */
  | 'NEW'
  /** Open, filled in part */
  | 'PARTIALLY_FILLED'
  /** Done: its trigger price was reached, and another order was placed (`executed`, at first `executing`); Classic spot only */
  | 'TRIGGERED'
  /** A value that this version does not recognize; the `Raw` field beside it has the exchange's text */
  | 'UNRECOGNIZED';

/** Type of an order: limit or market */
export type OrderType =
  /** At its limit price or better */
  | 'LIMIT'
  /** At the best prices of the book */
  | 'MARKET'
  /** A value that this version does not recognize; the `Raw` field beside it has the exchange's text */
  | 'UNRECOGNIZED';

/** State of a trigger order (`planStatus`) */
export type PlanStatus =
  /** It was cancelled */
  | 'CANCELLED'
  /** It was triggered and executed */
  | 'EXECUTED'
  /** It was triggered and is being executed */
  | 'EXECUTING'
  /** It was triggered and could not be executed */
  | 'FAIL_EXECUTE'
  /** It waits for its trigger (also spelt `not_trigger`) */
  | 'LIVE'
  /** A value that this version does not recognize; the `Raw` field beside it has the exchange's text */
  | 'UNRECOGNIZED';

/** Kind of trigger order (`planType`) */
export type PlanType =
  /** An order of which one part at a time is in the book, on unified accounts */
  | 'ICEBERG'
  /** Stop-loss of a part of a position */
  | 'LOSS_PLAN'
  /** Trailing stop of a part of a position */
  | 'MOVING_PLAN'
  /** An order that is placed once its trigger is reached (on unified accounts: `trigger`) */
  | 'NORMAL_PLAN'
  /** One cancels the other, on unified accounts: a limit order in the book, and an order that takes its place at a trigger price */
  | 'OCO'
  /** Stop-loss of a whole position */
  | 'POS_LOSS'
  /** Take-profit of a whole position */
  | 'POS_PROFIT'
  /** Take-profit of a part of a position */
  | 'PROFIT_PLAN'
  /** Take-profit, stop-loss or both of a position, on unified accounts */
  | 'TPSL'
  /** An order that trails the price before it is placed */
  | 'TRACK_PLAN'
  /** An order that is placed when the price comes back by a distance, on unified accounts */
  | 'TRAILING_STOP'
  /** An order that is placed in equal parts at intervals, on unified accounts */
  | 'TWAP'
  /** A value that this version does not recognize; the `Raw` field beside it has the exchange's text */
  | 'UNRECOGNIZED';

/** Direction of a position */
export type PositionSide =
  /** It gains when the price rises */
  | 'LONG'
  /** It gains when the price falls */
  | 'SHORT'
  /** A value that this version does not recognize; the `Raw` field beside it has the exchange's text */
  | 'UNRECOGNIZED';

/** Kind of product that a symbol is traded as (`category`) */
export type ProductCategory =
  /** Futures margined and settled in their base coin, such as BTCUSD */
  | 'COIN_FUTURES'
  /** Spot with borrowed coins; it uses the order books of spot */
  | 'MARGIN'
  /** Coins against coins, delivered at once */
  | 'SPOT'
  /** A value that this version does not recognize; the `Raw` field beside it has the exchange's text */
  | 'UNRECOGNIZED'
  /** Futures margined and settled in USDC, such as BTCPERP */
  | 'USDC_FUTURES'
  /** Futures margined and settled in USDT, such as BTCUSDT */
  | 'USDT_FUTURES';

/** Kind of product that a symbol is traded as (`category`). For arguments and inputs: `ProductCategory` without `UNRECOGNIZED` */
export type ProductCategoryInput =
  /** Futures margined and settled in their base coin, such as BTCUSD */
  | 'COIN_FUTURES'
  /** Spot with borrowed coins; it uses the order books of spot */
  | 'MARGIN'
  /** Coins against coins, delivered at once */
  | 'SPOT'
  /** Futures margined and settled in USDC, such as BTCPERP */
  | 'USDC_FUTURES'
  /** Futures margined and settled in USDT, such as BTCUSDT */
  | 'USDT_FUTURES';

/** State of a savings product */
export type SavingsProductStatus =
  /** It has ended */
  | 'COMPLETED'
  /** Open for subscription */
  | 'IN_PROGRESS'
  /** Not yet open for subscription */
  | 'NOT_STARTED'
  /** It has been withdrawn */
  | 'OFF_LINE'
  /** Subscription is paused */
  | 'PAUSED'
  /** It is sold out */
  | 'SOLD_OUT'
  /** A value that this version does not recognize; the `Raw` field beside it has the exchange's text */
  | 'UNRECOGNIZED';

/** What a savings record is about (`orderType`) */
export type SavingsRecordType =
  /** Interest was deducted, for redeeming early */
  | 'DEDUCTION'
  /** Interest was paid out */
  | 'PAY_INTEREST'
  /** Coins were paid back */
  | 'REDEEM'
  /** Coins were paid in */
  | 'SUBSCRIBE'
  /** A value that this version does not recognize; the `Raw` field beside it has the exchange's text */
  | 'UNRECOGNIZED';

/** State of a shark-fin product (`productStatus`) */
export type SharkFinStatus =
  /** Subscription is suspended */
  | 'PAUSE'
  /** It has been redeemed */
  | 'REDEEM'
  /** Open for subscription */
  | 'RUNNING'
  /** It is sold out */
  | 'SELL_OUT'
  /** It has been settled */
  | 'SETTLE'
  /** A value that this version does not recognize; the `Raw` field beside it has the exchange's text */
  | 'UNRECOGNIZED'
  /** Waiting for interest to accrue */
  | 'WAIT_INTEREST'
  /** Waiting for its settlement */
  | 'WAIT_SETTLE';

/** The direction of the price for which a shark-fin product pays more */
export type SharkFinTrend =
  /** It pays more when the price falls */
  | 'DOWN'
  /** A value that this version does not recognize; the `Raw` field beside it has the exchange's text */
  | 'UNRECOGNIZED'
  /** It pays more when the price rises */
  | 'UP';

/** Kind of a Classic spot order (`tpslType`) */
export type SpotOrderKind =
  /** It goes to the book at once */
  | 'NORMAL'
  /** It waits for its trigger price first */
  | 'TPSL'
  /** A value that this version does not recognize; the `Raw` field beside it has the exchange's text */
  | 'UNRECOGNIZED';

/** State of trading in a spot symbol */
export type SpotSymbolStatus =
  /** Grey scale: open to some users only */
  | 'GRAY'
  /** Trading is suspended */
  | 'HALT'
  /** Not tradable: not listed yet, or delisted */
  | 'OFFLINE'
  /** It can be traded */
  | 'ONLINE'
  /** A value that this version does not recognize; the `Raw` field beside it has the exchange's text */
  | 'UNRECOGNIZED';

/** State of a broker's sub-account */
export type SubAccountStatus =
  /** Deleted; cannot be restored */
  | 'DELETED'
  /** Frozen by the broker */
  | 'FREEZE'
  /** It is in use */
  | 'NORMAL'
  /** A value that this version does not recognize; the `Raw` field beside it has the exchange's text */
  | 'UNRECOGNIZED';

/** Whether an order was the taker or the maker of a trade */
export type TradeScope =
  /** It rested in the book */
  | 'MAKER'
  /** It traded with an order that rested in the book */
  | 'TAKER'
  /** A value that this version does not recognize; the `Raw` field beside it has the exchange's text */
  | 'UNRECOGNIZED';

/** Wallet of an account */
export type TransferWallet =
  /** Classic futures margined in their base coin */
  | 'COIN_FUTURES'
  /** Classic cross margin */
  | 'CROSSED_MARGIN'
  /** Funding account */
  | 'FUNDING'
  /** Classic isolated margin of one pair */
  | 'ISOLATED_MARGIN'
  /** Classic spot account; of a unified account the funding account */
  | 'SPOT'
  /** Unified account */
  | 'UNIFIED'
  /** A value that this version does not recognize; the `Raw` field beside it has the exchange's text */
  | 'UNRECOGNIZED'
  /** Classic futures margined in USDC */
  | 'USDC_FUTURES'
  /** Classic futures margined in USDT */
  | 'USDT_FUTURES';

/** Destination of a withdrawal (`dest`) */
export type WithdrawalDestination =
  /** To another user of the exchange */
  | 'INTERNAL_TRANSFER'
  /** To an address on a chain */
  | 'ON_CHAIN'
  /** A value that this version does not recognize; the `Raw` field beside it has the exchange's text */
  | 'UNRECOGNIZED';

/** State of a withdrawal */
export type WithdrawalStatus =
  /** It failed; the coins were not moved */
  | 'FAIL'
  /** It is under way */
  | 'PENDING'
  /** It has arrived */
  | 'SUCCESS'
  /** A value that this version does not recognize; the `Raw` field beside it has the exchange's text */
  | 'UNRECOGNIZED';

/** Outcome of a write */
export type WriteOutcome =
  /** The exchange accepted it, and it is in effect. An accepted order is not necessarily filled */
  | 'ACCEPTED'
  /** It has no effect: a rule was broken, the exchange refused it, or its request certainly never arrived */
  | 'REJECTED'
  /** The exchange's answer was lost, and it is not known yet whether it took effect. The gateway keeps looking it up; the same mutation with the same key and the journal return what it has found */
  | 'UNKNOWN';

/** State of a write in the journal */
export type WriteState =
  /** The exchange accepted it */
  | 'ACCEPTED'
  /** It has no effect */
  | 'REJECTED'
  /** Its request was sent, or is about to be; there is no answer yet */
  | 'SENT'
  /** The answer was lost; the outcome is being looked up, or cannot be found */
  | 'UNKNOWN'
  /** Its request was never sent: the exchange could not be reached. The key can be used again */
  | 'UNSENT';

export type ActivityQueryVariables = Exact<{
  account?: string | null | undefined;
  kinds?: Array<ActivityKind> | ActivityKind | null | undefined;
  after?: string | null | undefined;
}>;


export type ActivityQuery = { account: { id: string, name: string, activity: { edges: Array<{ cursor: string, node: { kind: ActivityKind, time: string, record:
            | { __typename: 'ClosedLoan' }
            | { __typename: 'ConvertRecord', id: string, fromCoin: string | null, fromAmount: string | null, toCoin: string | null, toAmount: string | null }
            | { __typename: 'Deposit', id: string, coin: string | null, amount: string | null }
            | { __typename: 'Fill', id: string, symbol: string, side: OrderSide | null, qty: string | null, price: string | null }
            | { __typename: 'FinancialRecord' }
            | { __typename: 'JournalEntry', id: string, mutation: string, writeStatus: WriteState }
            | { __typename: 'LoanOrder' }
            | { __typename: 'LoanReduction' }
            | { __typename: 'LoanRepayment' }
            | { __typename: 'Order', id: string, symbol: string, side: OrderSide | null, qty: string | null, status: OrderStatus | null }
            | { __typename: 'PlanOrder' }
            | { __typename: 'SavingsRecord' }
            | { __typename: 'SharkFinRecord' }
            | { __typename: 'SubAccountWithdrawal' }
            | { __typename: 'Transfer' }
            | { __typename: 'Withdrawal', id: string, coin: string | null, amount: string | null }
           } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } | null };

export type BrokerDeskQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type BrokerDeskQuery = { account: { id: string, broker: { info: { subAccountCount: number | null, maxSubAccountCount: number | null, updatedTime: string | null } | null, withdrawals: { nodes: Array<{ id: string, subUid: string | null, coin: string | null, amount: string | null, fee: string | null, dest: WithdrawalDestination | null, toAddress: string | null, status: WithdrawalStatus | null, createdTime: string | null } | null> } | null, subAccounts: { edges: Array<{ cursor: string, node: { id: string, subUid: string, profile: { name: string | null, status: SubAccountStatus | null, label: string | null } | null, spotAssets: Array<{ coin: string, available: string | null, frozen: string | null, locked: string | null, valueUsdt: string | null } | null> | null, futuresAssets: Array<{ marginCoin: string, equity: string | null, unrealisedPnl: string | null } | null> | null } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } } | null };

export type CancelOrderMutationVariables = Exact<{
  account?: string;
  category?: ProductCategoryInput;
  symbol?: string;
  orderId: string;
  idempotencyKey?: string | null | undefined;
}>;


export type CancelOrderMutation = { cancelOrder: { outcome: WriteOutcome | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null }>, order: { id: string, status: OrderStatus | null, cumExecQty: string | null } | null, journalEntry: { id: string, status: WriteState } | null } };

export type ConvertDeskQueryVariables = Exact<{
  account?: string | null | undefined;
  after?: string | null | undefined;
}>;


export type ConvertDeskQuery = { account: { id: string, convertCurrencies: Array<{ id: string, coin: string, available: string | null, minAmount: string | null, maxAmount: string | null } | null> | null, convertQuote: { fromAmount: string, toAmount: string, price: string, traceId: string } | null, convertRecords: { edges: Array<{ cursor: string, node: { id: string, recordId: string, fromCoin: string | null, fromAmount: string | null, toCoin: string | null, toAmount: string | null, price: string | null, createdTime: string | null } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } | null };

export type DashboardQueryVariables = Exact<{ [key: string]: never; }>;


export type DashboardQuery = { accounts: Array<{ id: string, name: string, mode: AccountMode | null, totalEquity: string | null, balances: Array<{ id: string, coin: string, equity: string | null, valueUsdt: string | null } | null> | null, positions: Array<{ id: string, category: FuturesCategory, symbol: string, posSide: PositionSide, qty: string | null, unrealisedPnl: string | null, instrument: { id: string, priceMultiplier: string | null, leverage: { max: string | null } | null } | null, ticker: { id: string, lastPrice: string | null, fundingRate: string | null } | null } | null> | null, openOrders: { edges: Array<{ cursor: string, node: { id: string, category: ProductCategory, symbol: string, side: OrderSide | null, price: string | null, qty: string | null, cumExecQty: string | null, status: OrderStatus | null } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null, loans: { ongoing: Array<{ id: string, loanCoin: string | null, loanAmount: string | null, loanPrice: string | null, pledgeCoin: string | null, pledgeAmount: string | null, pledgePrice: string | null, currentLtv: string | null, distanceToLiquidation: string | null } | null> | null } }>, classic: { id: string, subAccountFuturesAssets: Array<{ id: string, subUid: string, assets: Array<{ marginCoin: string, equity: string | null } | null> } | null> | null } | null, broker: { id: string, broker: { subAccounts: { edges: Array<{ cursor: string, node: { id: string, subUid: string, spotAssets: Array<{ coin: string, available: string | null, valueUsdt: string | null } | null> | null, futuresAssets: Array<{ marginCoin: string, equity: string | null } | null> | null } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } } | null };

export type EarnStoryQueryVariables = Exact<{
  account?: string | null | undefined;
}>;


export type EarnStoryQuery = { account: { id: string, earn: { savings: { assets: { nodes: Array<{ id: string, productId: string, productCoin: string | null, amount: string | null, totalProfit: string | null, product: { id: string, productId: string, status: SavingsProductStatus | null, apyTiers: Array<{ apy: string | null } | null> } | null } | null> } | null, records: { nodes: Array<{ id: string, orderId: string, orderType: SavingsRecordType | null, amount: string | null, createdTime: string | null, product: { id: string, productId: string } | null, journalEntry: { id: string } | null } | null> } | null }, sharkFin: { assets: { nodes: Array<{ id: string, productCoin: string | null, subscribeCoin: string, settleTime: string | null, offer: { id: string, productId: string, lowerRate: string | null, upperRate: string | null } | null } | null> } | null } } } | null };

export type EarnProductsQueryVariables = Exact<{
  account?: string | null | undefined;
}>;


export type EarnProductsQuery = { account: { id: string, earn: { savings: { totals: { amountUsdt: string | null, earned24hUsdt: string | null, earnedUsdt: string | null } | null, flexible: { nodes: Array<{ id: string, productCoin: string | null, amount: string | null, totalProfit: string | null, apyTiers: Array<{ apy: string | null } | null> } | null> } | null, fixed: { nodes: Array<{ id: string, productCoin: string | null, amount: string | null, periodDays: number | null, totalProfit: string | null } | null> } | null }, sharkFin: { totals: { amountUsdt: string | null, earnedUsdt: string | null } | null, held: { nodes: Array<{ id: string, productCoin: string | null, subscribeCoin: string, trend: SharkFinTrend | null, status: SharkFinStatus | null, settleTime: string | null } | null> } | null, settled: { nodes: Array<{ id: string, productCoin: string | null, subscribeCoin: string, interestAmount: string | null, settleTime: string | null } | null> } | null, interest: { nodes: Array<{ id: string, product: string | null, amount: string | null, createdTime: string | null } | null> } | null } } } | null };

export type OverviewQueryVariables = Exact<{
  positionsAfter?: string | null | undefined;
}>;


export type OverviewQuery = { accounts: Array<{ id: string, name: string, mode: AccountMode | null }>, main: { id: string, positionHistory: { edges: Array<{ cursor: string, node: { id: string, symbol: string, posSide: PositionSide | null, avgPrice: string | null, avgClosePrice: string | null, netProfit: string | null, updatedTime: string | null } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null, loans: { ongoing: Array<{ id: string, loanCoin: string | null, loanAmount: string | null, interestAmount: string | null, pledgeCoin: string | null, pledgeAmount: string | null, ltv: string | null, liquidationLtv: string | null } | null> | null, debts: { loans: Array<{ coin: string, amount: string | null, amountUsdt: string | null } | null>, pledges: Array<{ coin: string, amount: string | null, amountUsdt: string | null } | null> } | null }, earn: { sharkFin: { assets: { nodes: Array<{ id: string, productCoin: string | null, subscribeCoin: string, trend: SharkFinTrend | null, status: SharkFinStatus | null, settleTime: string | null, interestAmount: string | null } | null> } | null, records: { nodes: Array<{ id: string, product: string | null, period: string | null, amount: string | null, createdTime: string | null } | null> } | null } } } | null, classic: { id: string, futuresAccounts: Array<{ id: string, marginCoin: string, equity: string | null, available: string | null, unrealisedPnl: string | null, assets: Array<{ coin: string, balance: string | null } | null> } | null> | null, subAccountFuturesAssets: Array<{ id: string, subUid: string, assets: Array<{ marginCoin: string, equity: string | null, unrealisedPnl: string | null } | null> } | null> | null } | null, broker: { id: string, broker: { info: { subAccountCount: number | null, maxSubAccountCount: number | null } | null, subAccounts: { edges: Array<{ cursor: string, node: { id: string, subUid: string, spotAssets: Array<{ coin: string, available: string | null, frozen: string | null, locked: string | null } | null> | null } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } } | null, spotSymbols: Array<{ id: string, symbol: string, status: SpotSymbolStatus | null, fees: { maker: string | null, taker: string | null }, precision: { price: number | null, quantity: number | null }, orderSize: { minUsdt: string | null } } | null> | null, marginPairs: Array<{ id: string, symbol: string, status: MarginPairStatus | null, maxLeverage: { crossed: string | null, isolated: string | null } } | null> | null, discountRates: Array<{ coin: string, tiers: Array<{ tier: number, minAmount: string | null, maxAmount: string | null, discountRate: string | null } | null> } | null> | null, spotFundFlow: { whale: { buyVolume: string | null, sellVolume: string | null }, dolphin: { buyVolume: string | null, sellVolume: string | null }, fish: { buyVolume: string | null, sellVolume: string | null } } | null };

export type LoanStoryQueryVariables = Exact<{
  account?: string | null | undefined;
}>;


export type LoanStoryQuery = { account: { id: string, loans: { ongoing: Array<{ id: string, orderId: string, loanCoin: string | null, loanAmount: string | null, interestAmount: string | null, pledgeCoin: string | null, pledgeAmount: string | null, currentLtv: string | null, distanceToMarginCall: string | null, distanceToLiquidation: string | null, borrowTime: string | null, repayments: Array<{ id: string, orderId: string, amount: string | null, interestAmount: string | null, repayTime: string | null } | null> | null, reductions: Array<{ id: string, orderId: string, pledgeAmount: string | null, pledgePrice: string | null, reduceTime: string | null } | null> | null, terms: { loan: { coin: string, annualRate7d: string | null } | null, pledge: { coin: string, liquidationLtv: string | null } | null } | null } | null> | null } } | null };

export type CryptoLoansQueryVariables = Exact<{
  account?: string | null | undefined;
  after?: string | null | undefined;
}>;


export type CryptoLoansQuery = { account: { id: string, loans: { ongoing: Array<{ id: string, orderId: string, loanCoin: string | null, loanAmount: string | null, interestAmount: string | null, hourlyRate: string | null, loanPrice: string | null, pledgeCoin: string | null, pledgeAmount: string | null, pledgePrice: string | null, ltv: string | null, currentLtv: string | null, distanceToLiquidation: string | null, borrowTime: string | null, expireTime: string | null } | null> | null, history: { edges: Array<{ cursor: string, node: { id: string, loanCoin: string | null, loanAmount: string | null, pledgeCoin: string | null, pledgeAmount: string | null, status: LoanStatus | null, borrowTime: string | null } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null, repayments: { nodes: Array<{ id: string, orderId: string, loanCoin: string | null, amount: string | null, interestAmount: string | null, repayTime: string | null } | null> } | null, reductions: { nodes: Array<{ id: string, orderId: string, pledgeCoin: string | null, pledgeAmount: string | null, pledgePrice: string | null, ltv: string | null, status: LoanReductionStatus | null, reduceTime: string | null } | null> } | null, debts: { loans: Array<{ coin: string, amount: string | null, amountUsdt: string | null } | null>, pledges: Array<{ coin: string, amount: string | null, amountUsdt: string | null } | null> } | null } } | null, loanTerms: { loanCoins: Array<{ coin: string, annualRate7d: string | null, annualRate30d: string | null, min: string | null, max: string | null } | null>, pledgeCoins: Array<{ coin: string, initialLtv: string | null, liquidationLtv: string | null } | null> } | null };

export type MarketScreenQueryVariables = Exact<{
  category?: ProductCategoryInput;
  symbol?: string;
}>;


export type MarketScreenQuery = { instrument: { id: string, symbol: string, status: InstrumentStatus | null, priceMultiplier: string | null, orderSize: { min: string | null, step: string | null }, fees: { maker: string | null, taker: string | null } | null, leverage: { max: string | null } | null } | null, ticker: { id: string, lastPrice: string | null, change24h: string | null, highPrice24h: string | null, lowPrice24h: string | null, volume24h: string | null, markPrice: string | null, fundingRate: string | null } | null, orderBook: { category: ProductCategory, symbol: string, depth: number | null, asks: Array<{ price: string, qty: string }>, bids: Array<{ price: string, qty: string }> } | null, trades: Array<{ id: string, execId: string, price: string | null, qty: string | null, side: OrderSide | null, time: string | null } | null> | null, candles: Array<{ startTime: string, open: string | null, high: string | null, low: string | null, close: string | null, volume: string | null } | null> | null, spotFundFlow: { whale: { buyRatio: string | null, sellRatio: string | null }, fish: { buyRatio: string | null, sellRatio: string | null } } | null };

export type MoneyStoryQueryVariables = Exact<{
  account?: string | null | undefined;
  from?: string | null | undefined;
  after?: string | null | undefined;
}>;


export type MoneyStoryQuery = { account: { id: string, activity: { edges: Array<{ cursor: string, node: { kind: ActivityKind, time: string, record:
            | { __typename: 'ClosedLoan' }
            | { __typename: 'ConvertRecord', id: string, recordId: string, fromCoin: string | null, fromAmount: string | null, toCoin: string | null, toAmount: string | null, fromTicker: { id: string, lastPrice: string | null } | null }
            | { __typename: 'Deposit', id: string, orderId: string, coin: string | null, amount: string | null }
            | { __typename: 'Fill' }
            | { __typename: 'FinancialRecord', id: string, recordId: string, coin: string | null, change: string | null, balance: string | null }
            | { __typename: 'JournalEntry' }
            | { __typename: 'LoanOrder' }
            | { __typename: 'LoanReduction' }
            | { __typename: 'LoanRepayment' }
            | { __typename: 'Order' }
            | { __typename: 'PlanOrder' }
            | { __typename: 'SavingsRecord' }
            | { __typename: 'SharkFinRecord' }
            | { __typename: 'SubAccountWithdrawal' }
            | { __typename: 'Transfer', id: string, transferId: string, coin: string | null, amount: string | null, fromWallet: TransferWallet | null, toWallet: TransferWallet | null }
            | { __typename: 'Withdrawal', id: string, orderId: string, coin: string | null, amount: string | null, fee: string | null }
           } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null, balances: Array<{ id: string, coin: string, valueUsdt: string | null, coinListing: { id: string, coin: string, isTransferable: boolean | null } | null } | null> | null } | null };

export type MoneyQueryVariables = Exact<{
  account?: string | null | undefined;
  coin?: string;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type MoneyQuery = { account: { id: string, name: string, financialRecords: { edges: Array<{ cursor: string, node: { id: string, recordId: string, category: FinancialRecordCategory | null, symbol: string | null, kind: FinancialRecordKind | null, type: string | null, amount: string | null, fee: string | null, change: string | null, balance: string | null, createdTime: string | null } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null, fundingPayments: { nodes: Array<{ id: string, symbol: string | null, coin: string | null, change: string | null, createdTime: string | null } | null> } | null, deposits: { nodes: Array<{ id: string, orderId: string, coin: string | null, chain: string | null, amount: string | null, status: WithdrawalStatus | null, createdTime: string | null } | null> } | null, withdrawals: { nodes: Array<{ id: string, orderId: string, coin: string | null, chain: string | null, amount: string | null, fee: string | null, status: WithdrawalStatus | null, toAddress: string | null, createdTime: string | null } | null> } | null, maxTransfer: { amount: string | null, amountWithBorrowing: string | null } | null, feeRates: Array<{ symbol: string, maker: string | null, taker: string | null } | null> | null } | null, coin: { id: string, coin: string, chains: Array<{ chain: string, isWithdrawable: boolean | null, isDepositable: boolean | null, withdrawFee: string | null, minWithdrawAmount: string | null } | null> } | null };

export type PlaceOrderMutationVariables = Exact<{
  account?: string;
  category?: ProductCategoryInput;
  symbol?: string;
  side?: OrderSideInput;
  qty?: string;
  price?: string;
  clientOid?: string | null | undefined;
  idempotencyKey?: string | null | undefined;
  dryRun?: boolean;
}>;


export type PlaceOrderMutation = { placeOrder: { outcome: WriteOutcome | null, isReplay: boolean, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null }>, order: { id: string, orderId: string, symbol: string, side: OrderSide | null, price: string | null, qty: string | null, cumExecQty: string | null, status: OrderStatus | null } | null, estimate: { cost: string, costCoin: string, fee: string | null, available: string | null, isAffordable: boolean | null } | null, journalEntry: { id: string, status: WriteState } | null } };

export type PlaceOrdersMutationVariables = Exact<{
  dryRun?: boolean;
}>;


export type PlaceOrdersMutation = { placeOrders: { outcome: WriteOutcome | null, estimate: { isAffordable: boolean | null, maxFactor: string | null, funds: Array<{ cost: string, costCoin: string, fee: string | null, margin: string | null, required: string | null, requiredCoin: string, available: string | null }> } | null, orders: Array<{ outcome: WriteOutcome | null, orderId: string | null, clientOid: string | null, estimate: { required: string | null, requiredCoin: string } | null, journalEntry: { id: string, seq: string } | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null }> }>, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null }> } };

export type PortfolioQueryVariables = Exact<{ [key: string]: never; }>;


export type PortfolioQuery = { accounts: Array<{ id: string, name: string, mode: AccountMode | null, totalEquity: string | null, balances: Array<{ id: string, coin: string, equity: string | null, available: string | null, locked: string | null, valueUsdt: string | null } | null> | null, positions: Array<{ id: string, category: FuturesCategory, symbol: string, posSide: PositionSide, qty: string | null, notional: string | null, unrealisedPnl: string | null } | null> | null }> };

export type PositionStoryQueryVariables = Exact<{ [key: string]: never; }>;


export type PositionStoryQuery = { accounts: Array<{ id: string, name: string, positions: Array<{ id: string, category: FuturesCategory, symbol: string, posSide: PositionSide, qty: string | null, avgPrice: string | null, unrealisedPnl: string | null, createdTime: string | null, instrument: { id: string, priceMultiplier: string | null } | null, ticker: { id: string, lastPrice: string | null, markPrice: string | null } | null, takeProfit: { triggerPrice: string, planOrder: { id: string, planType: PlanType | null } | null } | null, stopLoss: { triggerPrice: string, planOrder: { id: string, planType: PlanType | null } | null } | null, openOrders: Array<{ id: string, side: OrderSide | null, price: string | null, qty: string | null, cumExecQty: string | null } | null> | null, planOrders: Array<{ id: string, planType: PlanType | null, triggerPrice: string | null } | null> | null, fills: { nodes: Array<{ id: string, side: OrderSide | null, price: string | null, qty: string | null, createdTime: string | null } | null>, pageInfo: { hasNextPage: boolean } } | null } | null> | null }> };

export type RiskQueryVariables = Exact<{ [key: string]: never; }>;


export type RiskQuery = { accounts: Array<{ id: string, name: string, positions: Array<{ id: string, category: FuturesCategory, symbol: string, posSide: PositionSide, marginMode: MarginMode | null, leverage: string | null, notional: string | null, markPrice: string | null, liquidationPrice: string | null, unrealisedPnl: string | null, profitRate: string | null, maintenanceMarginRate: string | null } | null> | null, loans: { ongoing: Array<{ id: string, loanCoin: string | null, pledgeCoin: string | null, currentLtv: string | null, marginCallLtv: string | null, liquidationLtv: string | null, distanceToLiquidation: string | null } | null> | null } }>, unified: { id: string, unifiedAssets: { equityUsd: string | null, effectiveEquityUsd: string | null, initialMarginUsd: string | null, maintenanceMarginUsd: string | null, marginRatio: string | null } | null } | null, classic: { id: string, futuresAccounts: Array<{ id: string, marginCoin: string, equity: string | null, crossedMarginRatio: string | null, unrealisedPnl: string | null } | null> | null } | null, discountRates: Array<{ coin: string, tiers: Array<{ minAmount: string | null, maxAmount: string | null, discountRate: string | null } | null> } | null> | null };

export type StrategyOrdersQueryVariables = Exact<{
  account?: string | null | undefined;
  category?: ProductCategoryInput;
}>;


export type StrategyOrdersQuery = { account: { id: string, name: string, planOrders: { nodes: Array<{ id: string, orderId: string, symbol: string, side: OrderSide | null, qty: string | null, status: PlanStatus | null, terms:
          | { __typename: 'IcebergTerms', parts: number | null, partQty: string | null, fixedPrice: string | null, priceLimit: string | null }
          | { __typename: 'OcoTerms', limitPrice: string | null, triggerPrice: string | null, executePrice: string | null }
          | { __typename: 'TpslTerms', takeProfit: { triggerPrice: string } | null, stopLoss: { triggerPrice: string } | null }
          | { __typename: 'TrailingStopTerms', activationPrice: string | null, callbackRate: string | null, callbackSpread: string | null }
          | { __typename: 'TriggerTerms', triggerPrice: string | null, limitPrice: string | null }
          | { __typename: 'TwapTerms', durationMinutes: number | null, intervalSeconds: number | null, terminationPrice: string | null }
         | null } | null>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } | null };

export type TradeReviewQueryVariables = Exact<{
  account?: string | null | undefined;
  category?: FuturesCategoryInput;
}>;


export type TradeReviewQuery = { account: { id: string, name: string, positionHistory: { edges: Array<{ cursor: string, node: { id: string, symbol: string, posSide: PositionSide | null, avgPrice: string | null, avgClosePrice: string | null, realisedPnl: string | null, totalFunding: string | null, createdTime: string | null, updatedTime: string | null, orders: Array<{ id: string, side: OrderSide | null, orderType: OrderType | null, avgPrice: string | null, cumExecQty: string | null } | null> | null, fills: { nodes: Array<{ id: string, side: OrderSide | null, price: string | null, qty: string | null, realisedPnl: string | null, createdTime: string | null } | null> } | null, instrument: { id: string, candles: Array<{ startTime: string, open: string | null, high: string | null, low: string | null, close: string | null } | null> | null, fundingHistory: Array<{ time: string, fundingRate: string | null } | null> | null } | null } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } | null };

export type TradingQueryVariables = Exact<{
  account?: string | null | undefined;
  category?: ProductCategoryInput;
  after?: string | null | undefined;
}>;


export type TradingQuery = { account: { id: string, name: string, positions: Array<{ id: string, symbol: string, posSide: PositionSide, qty: string | null, avgPrice: string | null, unrealisedPnl: string | null, liquidationPrice: string | null, takeProfit: { triggerPrice: string } | null, stopLoss: { triggerPrice: string } | null, instrument: { id: string, priceMultiplier: string | null, leverage: { max: string | null } | null } | null, ticker: { id: string, lastPrice: string | null, fundingRate: string | null } | null } | null> | null, openOrders: { edges: Array<{ cursor: string, node: { id: string, category: ProductCategory, symbol: string, side: OrderSide | null, orderType: OrderType | null, price: string | null, qty: string | null, cumExecQty: string | null, status: OrderStatus | null, tpslType: SpotOrderKind | null, triggerPrice: string | null, takeProfit: { triggerPrice: string } | null, stopLoss: { triggerPrice: string } | null, ticker: { id: string, bid1Price: string | null, ask1Price: string | null } | null } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null, planOrders: { nodes: Array<{ id: string, symbol: string, planType: PlanType | null, triggerPrice: string | null, takeProfit: { triggerPrice: string } | null, stopLoss: { triggerPrice: string } | null } | null> } | null, spotFills: { nodes: Array<{ id: string, symbol: string, side: OrderSide | null, price: string | null, qty: string | null, tradeScope: TradeScope | null, createdTime: string | null, fees: Array<{ coin: string | null, amount: string | null }> | null } | null> } | null } | null };

export type WatchBookSubscriptionVariables = Exact<{
  category?: ProductCategoryInput;
  symbol?: string;
}>;


export type WatchBookSubscription = { orderBook: { orderBook: { category: ProductCategory, symbol: string, depth: number | null, isStale: boolean, asks: Array<{ price: string, qty: string }>, bids: Array<{ price: string, qty: string }> } } };

export type WatchOrdersSubscriptionVariables = Exact<{
  account?: string | null | undefined;
}>;


export type WatchOrdersSubscription = { orders: { orders: Array<{ id: string, category: ProductCategory, symbol: string, side: OrderSide | null, price: string | null, qty: string | null, cumExecQty: string | null, status: OrderStatus | null }> | null } };

export type WatchPositionsSubscriptionVariables = Exact<{
  account?: string | null | undefined;
}>;


export type WatchPositionsSubscription = { positions: { positions: Array<{ id: string, category: FuturesCategory, symbol: string, posSide: PositionSide, qty: string | null, avgPrice: string | null, markPrice: string | null, unrealisedPnl: string | null, distanceToLiquidation: string | null }> | null } };

export type WatchTickerSubscriptionVariables = Exact<{
  category?: ProductCategoryInput;
  symbol?: string;
}>;


export type WatchTickerSubscription = { ticker: { ticker: { id: string, lastPrice: string | null, bid1Price: string | null, ask1Price: string | null, markPrice: string | null, fundingRate: string | null } | null } };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}

export const ActivityDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Activity($account: String, $kinds: [ActivityKind!] = [ORDER, FILL, CONVERSION, DEPOSIT, WITHDRAWAL, WRITE], $after: String) {
  account(name: $account) {
    id
    name
    activity(kinds: $kinds, first: 20, after: $after) {
      edges {
        cursor
        node {
          kind
          time
          record {
            __typename
            ... on Order {
              id
              symbol
              side
              qty
              status
            }
            ... on Fill {
              id
              symbol
              side
              qty
              price
            }
            ... on ConvertRecord {
              id
              fromCoin
              fromAmount
              toCoin
              toAmount
            }
            ... on Deposit {
              id
              coin
              amount
            }
            ... on Withdrawal {
              id
              coin
              amount
            }
            ... on JournalEntry {
              id
              mutation
              writeStatus: status
            }
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    `, {"hash":"sha256:c3d31c7614be8680c0f85168dcfb996e4c1ac917da0d337cf735e2bb65419c97"}) as unknown as TypedDocumentString<ActivityQuery, ActivityQueryVariables>;
export const BrokerDeskDocument = /*#__PURE__*/ new TypedDocumentString(`
    query BrokerDesk($after: String) {
  account(name: "broker") {
    id
    broker {
      info {
        subAccountCount
        maxSubAccountCount
        updatedTime
      }
      withdrawals(first: 10) {
        nodes {
          id
          subUid
          coin
          amount
          fee
          dest
          toAddress
          status
          createdTime
        }
      }
      subAccounts(first: 3, after: $after) {
        edges {
          cursor
          node {
            id
            subUid
            profile {
              name
              status
              label
            }
            spotAssets {
              coin
              available
              frozen
              locked
              valueUsdt
            }
            futuresAssets(productType: USDT_FUTURES) {
              marginCoin
              equity
              unrealisedPnl
            }
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
}
    `, {"hash":"sha256:259a6ee3871f3c5f2e54db292acc979b24caad8e740bbb839995b855a50c4afb"}) as unknown as TypedDocumentString<BrokerDeskQuery, BrokerDeskQueryVariables>;
export const CancelOrderDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation CancelOrder($account: String! = "main", $category: ProductCategoryInput! = SPOT, $symbol: String! = "BTCUSDT", $orderId: String!, $idempotencyKey: String) {
  cancelOrder(
    input: {account: $account, category: $category, symbol: $symbol, by: {orderId: $orderId}, idempotencyKey: $idempotencyKey}
  ) {
    outcome
    userErrors {
      code
      message
      field
    }
    order {
      id
      status
      cumExecQty
    }
    journalEntry {
      id
      status
    }
  }
}
    `, {"hash":"sha256:0254e9d59849bff06c78a1cf8586bce92a5092e604d04661486bd0c3e986d8d4"}) as unknown as TypedDocumentString<CancelOrderMutation, CancelOrderMutationVariables>;
export const ConvertDeskDocument = /*#__PURE__*/ new TypedDocumentString(`
    query ConvertDesk($account: String, $after: String) {
  account(name: $account) {
    id
    convertCurrencies {
      id
      coin
      available
      minAmount
      maxAmount
    }
    convertQuote(fromCoin: "USDT", toCoin: "BTC", amount: {from: "100"}) {
      fromAmount
      toAmount
      price
      traceId
    }
    convertRecords(first: 10, after: $after) {
      edges {
        cursor
        node {
          id
          recordId
          fromCoin
          fromAmount
          toCoin
          toAmount
          price
          createdTime
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    `, {"hash":"sha256:b619e74abc40499d8e77aef98cfd8ac4c6dbcb0ae262e6a01d3e074b6b46e745"}) as unknown as TypedDocumentString<ConvertDeskQuery, ConvertDeskQueryVariables>;
export const DashboardDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Dashboard {
  accounts {
    id
    name
    mode
    totalEquity
    balances {
      id
      coin
      equity
      valueUsdt
    }
    positions {
      id
      category
      symbol
      posSide
      qty
      unrealisedPnl
      instrument {
        id
        priceMultiplier
        leverage {
          max
        }
      }
      ticker {
        id
        lastPrice
        fundingRate
      }
    }
    openOrders(first: 20) {
      edges {
        cursor
        node {
          id
          category
          symbol
          side
          price
          qty
          cumExecQty
          status
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
    loans {
      ongoing {
        id
        loanCoin
        loanAmount
        loanPrice
        pledgeCoin
        pledgeAmount
        pledgePrice
        currentLtv
        distanceToLiquidation
      }
    }
  }
  classic: account(name: "classic") {
    id
    subAccountFuturesAssets(productType: USDT_FUTURES) {
      id
      subUid
      assets {
        marginCoin
        equity
      }
    }
  }
  broker: account(name: "broker") {
    id
    broker {
      subAccounts(first: 30) {
        edges {
          cursor
          node {
            id
            subUid
            spotAssets {
              coin
              available
              valueUsdt
            }
            futuresAssets(productType: USDT_FUTURES) {
              marginCoin
              equity
            }
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
}
    `, {"hash":"sha256:5a5750424aea791203484f748ba0a668525d51fbdc1262c988cd94ddc7b024d2"}) as unknown as TypedDocumentString<DashboardQuery, DashboardQueryVariables>;
export const EarnStoryDocument = /*#__PURE__*/ new TypedDocumentString(`
    query EarnStory($account: String) {
  account(name: $account) {
    id
    earn {
      savings {
        assets(periodType: FLEXIBLE, first: 20) {
          nodes {
            id
            productId
            productCoin
            amount
            totalProfit
            product {
              id
              productId
              apyTiers {
                apy
              }
              status
            }
          }
        }
        records(periodType: FLEXIBLE, first: 20) {
          nodes {
            id
            orderId
            orderType
            amount
            createdTime
            product {
              id
              productId
            }
            journalEntry {
              id
            }
          }
        }
      }
      sharkFin {
        assets(first: 20) {
          nodes {
            id
            productCoin
            subscribeCoin
            settleTime
            offer {
              id
              productId
              lowerRate
              upperRate
            }
          }
        }
      }
    }
  }
}
    `, {"hash":"sha256:26b5de2dcbf9edbc1b2535c5b934fce642030b407715c56912d82d88fd0884a3"}) as unknown as TypedDocumentString<EarnStoryQuery, EarnStoryQueryVariables>;
export const EarnProductsDocument = /*#__PURE__*/ new TypedDocumentString(`
    query EarnProducts($account: String) {
  account(name: $account) {
    id
    earn {
      savings {
        totals {
          amountUsdt
          earned24hUsdt
          earnedUsdt
        }
        flexible: assets(periodType: FLEXIBLE, first: 10) {
          nodes {
            id
            productCoin
            amount
            totalProfit
            apyTiers {
              apy
            }
          }
        }
        fixed: assets(periodType: FIXED, first: 10) {
          nodes {
            id
            productCoin
            amount
            periodDays
            totalProfit
          }
        }
      }
      sharkFin {
        totals {
          amountUsdt
          earnedUsdt
        }
        held: assets(status: SUBSCRIBED, first: 10) {
          nodes {
            id
            productCoin
            subscribeCoin
            trend
            status
            settleTime
          }
        }
        settled: assets(status: SETTLED, first: 10) {
          nodes {
            id
            productCoin
            subscribeCoin
            interestAmount
            settleTime
          }
        }
        interest: records(type: INTEREST, first: 10) {
          nodes {
            id
            product
            amount
            createdTime
          }
        }
      }
    }
  }
}
    `, {"hash":"sha256:61949915a84ddc23d0977eecf46b3d1e6d82578b9f3aa1dfa6301680bc687488"}) as unknown as TypedDocumentString<EarnProductsQuery, EarnProductsQueryVariables>;
export const OverviewDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Overview($positionsAfter: String) {
  accounts {
    id
    name
    mode
  }
  main: account(name: "main") {
    id
    positionHistory(category: USDT_FUTURES, first: 5, after: $positionsAfter) {
      edges {
        cursor
        node {
          id
          symbol
          posSide
          avgPrice
          avgClosePrice
          netProfit
          updatedTime
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
    loans {
      ongoing {
        id
        loanCoin
        loanAmount
        interestAmount
        pledgeCoin
        pledgeAmount
        ltv
        liquidationLtv
      }
      debts {
        loans {
          coin
          amount
          amountUsdt
        }
        pledges {
          coin
          amount
          amountUsdt
        }
      }
    }
    earn {
      sharkFin {
        assets(first: 5) {
          nodes {
            id
            productCoin
            subscribeCoin
            trend
            status
            settleTime
            interestAmount
          }
        }
        records(type: SUBSCRIPTION, first: 5) {
          nodes {
            id
            product
            period
            amount
            createdTime
          }
        }
      }
    }
  }
  classic: account(name: "classic") {
    id
    futuresAccounts(productType: USDT_FUTURES) {
      id
      marginCoin
      equity
      available
      unrealisedPnl
      assets {
        coin
        balance
      }
    }
    subAccountFuturesAssets(productType: USDT_FUTURES) {
      id
      subUid
      assets {
        marginCoin
        equity
        unrealisedPnl
      }
    }
  }
  broker: account(name: "broker") {
    id
    broker {
      info {
        subAccountCount
        maxSubAccountCount
      }
      subAccounts(first: 1) {
        edges {
          cursor
          node {
            id
            subUid
            spotAssets {
              coin
              available
              frozen
              locked
            }
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
  spotSymbols(symbols: ["BTCUSDT", "ETHUSDT", "SOLUSDT"]) {
    id
    symbol
    status
    fees {
      maker
      taker
    }
    precision {
      price
      quantity
    }
    orderSize {
      minUsdt
    }
  }
  marginPairs(symbols: ["BTCUSDT", "ETHUSDT"]) {
    id
    symbol
    status
    maxLeverage {
      crossed
      isolated
    }
  }
  discountRates(coins: ["BTC", "ETH"]) {
    coin
    tiers {
      tier
      minAmount
      maxAmount
      discountRate
    }
  }
  spotFundFlow(symbol: "BTCUSDT") {
    whale {
      buyVolume
      sellVolume
    }
    dolphin {
      buyVolume
      sellVolume
    }
    fish {
      buyVolume
      sellVolume
    }
  }
}
    `, {"hash":"sha256:b7e39f11f58012111b7190afa3c185697f53dc65684a32610d675910bb37b759"}) as unknown as TypedDocumentString<OverviewQuery, OverviewQueryVariables>;
export const LoanStoryDocument = /*#__PURE__*/ new TypedDocumentString(`
    query LoanStory($account: String) {
  account(name: $account) {
    id
    loans {
      ongoing {
        id
        orderId
        loanCoin
        loanAmount
        interestAmount
        pledgeCoin
        pledgeAmount
        currentLtv
        distanceToMarginCall
        distanceToLiquidation
        borrowTime
        repayments {
          id
          orderId
          amount
          interestAmount
          repayTime
        }
        reductions {
          id
          orderId
          pledgeAmount
          pledgePrice
          reduceTime
        }
        terms {
          loan {
            coin
            annualRate7d
          }
          pledge {
            coin
            liquidationLtv
          }
        }
      }
    }
  }
}
    `, {"hash":"sha256:76341fe16745d56c89f96e5616a68b85413e25745ed3baa7572e9ec7e49bfcae"}) as unknown as TypedDocumentString<LoanStoryQuery, LoanStoryQueryVariables>;
export const CryptoLoansDocument = /*#__PURE__*/ new TypedDocumentString(`
    query CryptoLoans($account: String, $after: String) {
  account(name: $account) {
    id
    loans {
      ongoing {
        id
        orderId
        loanCoin
        loanAmount
        interestAmount
        hourlyRate
        loanPrice
        pledgeCoin
        pledgeAmount
        pledgePrice
        ltv
        currentLtv
        distanceToLiquidation
        borrowTime
        expireTime
      }
      history(first: 10, after: $after) {
        edges {
          cursor
          node {
            id
            loanCoin
            loanAmount
            pledgeCoin
            pledgeAmount
            status
            borrowTime
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
      repayments(first: 10) {
        nodes {
          id
          orderId
          loanCoin
          amount
          interestAmount
          repayTime
        }
      }
      reductions(first: 10) {
        nodes {
          id
          orderId
          pledgeCoin
          pledgeAmount
          pledgePrice
          ltv
          status
          reduceTime
        }
      }
      debts {
        loans {
          coin
          amount
          amountUsdt
        }
        pledges {
          coin
          amount
          amountUsdt
        }
      }
    }
  }
  loanTerms(coins: ["USDT", "BTC"]) {
    loanCoins {
      coin
      annualRate7d
      annualRate30d
      min
      max
    }
    pledgeCoins {
      coin
      initialLtv
      liquidationLtv
    }
  }
}
    `, {"hash":"sha256:e877e0805078db18434b082dd2d4e2aa86352160c5d663d6952f655626abf27e"}) as unknown as TypedDocumentString<CryptoLoansQuery, CryptoLoansQueryVariables>;
export const MarketScreenDocument = /*#__PURE__*/ new TypedDocumentString(`
    query MarketScreen($category: ProductCategoryInput! = USDT_FUTURES, $symbol: String! = "BTCUSDT") {
  instrument(category: $category, symbol: $symbol) {
    id
    symbol
    status
    priceMultiplier
    orderSize {
      min
      step
    }
    fees {
      maker
      taker
    }
    leverage {
      max
    }
  }
  ticker(category: $category, symbol: $symbol) {
    id
    lastPrice
    change24h
    highPrice24h
    lowPrice24h
    volume24h
    markPrice
    fundingRate
  }
  orderBook(category: $category, symbol: $symbol, depth: 5) {
    category
    symbol
    depth
    asks {
      price
      qty
    }
    bids {
      price
      qty
    }
  }
  trades(category: $category, symbol: $symbol, first: 5) {
    id
    execId
    price
    qty
    side
    time
  }
  candles(category: $category, symbol: $symbol, interval: HOUR_1, first: 24) {
    startTime
    open
    high
    low
    close
    volume
  }
  spotFundFlow(symbol: $symbol) {
    whale {
      buyRatio
      sellRatio
    }
    fish {
      buyRatio
      sellRatio
    }
  }
}
    `, {"hash":"sha256:bfcad5eb57cae5cc5ce560bad471361ceea8eb1ab1c677ab4b71bb237df4d65e"}) as unknown as TypedDocumentString<MarketScreenQuery, MarketScreenQueryVariables>;
export const MoneyStoryDocument = /*#__PURE__*/ new TypedDocumentString(`
    query MoneyStory($account: String, $from: DateTime, $after: String) {
  account(name: $account) {
    id
    activity(
      kinds: [DEPOSIT, WITHDRAWAL, TRANSFER, CONVERSION]
      first: 20
      after: $after
      from: $from
    ) {
      edges {
        cursor
        node {
          kind
          time
          record {
            __typename
            ... on Deposit {
              id
              orderId
              coin
              amount
            }
            ... on Withdrawal {
              id
              orderId
              coin
              amount
              fee
            }
            ... on Transfer {
              id
              transferId
              coin
              amount
              fromWallet
              toWallet
            }
            ... on FinancialRecord {
              id
              recordId
              coin
              change
              balance
            }
            ... on ConvertRecord {
              id
              recordId
              fromCoin
              fromAmount
              toCoin
              toAmount
              fromTicker {
                id
                lastPrice
              }
            }
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
    balances {
      id
      coin
      valueUsdt
      coinListing {
        id
        coin
        isTransferable
      }
    }
  }
}
    `, {"hash":"sha256:d8e78b49f29f575345b29901bcd21b7ac0be236ff36ddf46c79f64784ef4adab"}) as unknown as TypedDocumentString<MoneyStoryQuery, MoneyStoryQueryVariables>;
export const MoneyDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Money($account: String, $coin: String! = "USDT", $first: Int = 20, $after: String) {
  account(name: $account) {
    id
    name
    financialRecords(first: $first, after: $after, coin: $coin) {
      edges {
        cursor
        node {
          id
          recordId
          category
          symbol
          kind
          type
          amount
          fee
          change
          balance
          createdTime
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
    fundingPayments(first: $first, category: USDT_FUTURES) {
      nodes {
        id
        symbol
        coin
        change
        createdTime
      }
    }
    deposits(first: 5) {
      nodes {
        id
        orderId
        coin
        chain
        amount
        status
        createdTime
      }
    }
    withdrawals(first: 5) {
      nodes {
        id
        orderId
        coin
        chain
        amount
        fee
        status
        toAddress
        createdTime
      }
    }
    maxTransfer(coin: $coin) {
      amount
      amountWithBorrowing
    }
    feeRates(category: SPOT, symbols: ["BTCUSDT"]) {
      symbol
      maker
      taker
    }
  }
  coin(coin: $coin) {
    id
    coin
    chains {
      chain
      isWithdrawable
      isDepositable
      withdrawFee
      minWithdrawAmount
    }
  }
}
    `, {"hash":"sha256:6441c325ab6a9cab6fc5791ebe9ce717c086f9fae64c465a304fb48d4f841a30"}) as unknown as TypedDocumentString<MoneyQuery, MoneyQueryVariables>;
export const PlaceOrderDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation PlaceOrder($account: String! = "main", $category: ProductCategoryInput! = SPOT, $symbol: String! = "BTCUSDT", $side: OrderSideInput! = BUY, $qty: Decimal! = "0.001", $price: Decimal! = "50000", $clientOid: String, $idempotencyKey: String, $dryRun: Boolean! = true) {
  placeOrder(
    input: {account: $account, category: $category, symbol: $symbol, side: $side, orderType: LIMIT, qty: $qty, price: $price, clientOid: $clientOid, idempotencyKey: $idempotencyKey, dryRun: $dryRun}
  ) {
    outcome
    isReplay
    userErrors {
      code
      message
      field
    }
    order {
      id
      orderId
      symbol
      side
      price
      qty
      cumExecQty
      status
    }
    estimate {
      cost
      costCoin
      fee
      available
      isAffordable
    }
    journalEntry {
      id
      status
    }
  }
}
    `, {"hash":"sha256:f778ec0a21f46cfeacb9dc21f1c2dd1ed65e62624b17541b5261d0d92d33e3d1"}) as unknown as TypedDocumentString<PlaceOrderMutation, PlaceOrderMutationVariables>;
export const PlaceOrdersDocument = /*#__PURE__*/ new TypedDocumentString(`
    mutation PlaceOrders($dryRun: Boolean! = true) {
  placeOrders(
    input: {account: "main", dryRun: $dryRun, orders: [{category: SPOT, symbol: "BTCUSDT", side: BUY, orderType: LIMIT, qty: "0.001", price: "50000"}, {category: SPOT, symbol: "BTCUSDT", side: BUY, orderType: LIMIT, qty: "0.001", price: "59500"}, {category: SPOT, symbol: "BTCUSDT", side: BUY, orderType: LIMIT, qty: "0.001", price: "59000"}]}
  ) {
    outcome
    estimate {
      funds {
        cost
        costCoin
        fee
        margin
        required
        requiredCoin
        available
      }
      isAffordable
      maxFactor
    }
    orders {
      outcome
      orderId
      clientOid
      estimate {
        required
        requiredCoin
      }
      journalEntry {
        id
        seq
      }
      userErrors {
        code
        message
        field
      }
    }
    userErrors {
      code
      message
      field
    }
  }
}
    `, {"hash":"sha256:a16685979433c2e742070a63b69c5c53aee817aa3c297b41c460fa243a17fc41"}) as unknown as TypedDocumentString<PlaceOrdersMutation, PlaceOrdersMutationVariables>;
export const PortfolioDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Portfolio {
  accounts {
    id
    name
    mode
    totalEquity
    balances {
      id
      coin
      equity
      available
      locked
      valueUsdt
    }
    positions {
      id
      category
      symbol
      posSide
      qty
      notional
      unrealisedPnl
    }
  }
}
    `, {"hash":"sha256:530b23ccd5d2608b880b66e019dfec3f89570c9e59d3043bce0e8a3e6b622ecb"}) as unknown as TypedDocumentString<PortfolioQuery, PortfolioQueryVariables>;
export const PositionStoryDocument = /*#__PURE__*/ new TypedDocumentString(`
    query PositionStory {
  accounts {
    id
    name
    positions {
      id
      category
      symbol
      posSide
      qty
      avgPrice
      unrealisedPnl
      createdTime
      instrument {
        id
        priceMultiplier
      }
      ticker {
        id
        lastPrice
        markPrice
      }
      takeProfit {
        triggerPrice
        planOrder {
          id
          planType
        }
      }
      stopLoss {
        triggerPrice
        planOrder {
          id
          planType
        }
      }
      openOrders {
        id
        side
        price
        qty
        cumExecQty
      }
      planOrders {
        id
        planType
        triggerPrice
      }
      fills(first: 10) {
        nodes {
          id
          side
          price
          qty
          createdTime
        }
        pageInfo {
          hasNextPage
        }
      }
    }
  }
}
    `, {"hash":"sha256:dec7ff7830eb8c5a67f31c6ed927cde685d96d11b8a7af5a91a67839cfe6f160"}) as unknown as TypedDocumentString<PositionStoryQuery, PositionStoryQueryVariables>;
export const RiskDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Risk {
  accounts {
    id
    name
    positions {
      id
      category
      symbol
      posSide
      marginMode
      leverage
      notional
      markPrice
      liquidationPrice
      unrealisedPnl
      profitRate
      maintenanceMarginRate
    }
    loans {
      ongoing {
        id
        loanCoin
        pledgeCoin
        currentLtv
        marginCallLtv
        liquidationLtv
        distanceToLiquidation
      }
    }
  }
  unified: account(name: "main") {
    id
    unifiedAssets {
      equityUsd
      effectiveEquityUsd
      initialMarginUsd
      maintenanceMarginUsd
      marginRatio
    }
  }
  classic: account(name: "classic") {
    id
    futuresAccounts(productType: USDT_FUTURES) {
      id
      marginCoin
      equity
      crossedMarginRatio
      unrealisedPnl
    }
  }
  discountRates(coins: ["BTC", "ETH", "SOL"]) {
    coin
    tiers {
      minAmount
      maxAmount
      discountRate
    }
  }
}
    `, {"hash":"sha256:a9873045a7a4e052b9f301573a175a79388bc8a53a35c8cc00cd0371524d24f6"}) as unknown as TypedDocumentString<RiskQuery, RiskQueryVariables>;
export const StrategyOrdersDocument = /*#__PURE__*/ new TypedDocumentString(`
    query StrategyOrders($account: String, $category: ProductCategoryInput! = USDT_FUTURES) {
  account(name: $account) {
    id
    name
    planOrders(category: $category, first: 20) {
      nodes {
        id
        orderId
        symbol
        side
        qty
        status
        terms {
          __typename
          ... on TpslTerms {
            takeProfit {
              triggerPrice
            }
            stopLoss {
              triggerPrice
            }
          }
          ... on TriggerTerms {
            triggerPrice
            limitPrice
          }
          ... on OcoTerms {
            limitPrice
            triggerPrice
            executePrice
          }
          ... on TrailingStopTerms {
            activationPrice
            callbackRate
            callbackSpread
          }
          ... on IcebergTerms {
            parts
            partQty
            fixedPrice
            priceLimit
          }
          ... on TwapTerms {
            durationMinutes
            intervalSeconds
            terminationPrice
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    `, {"hash":"sha256:5d896cf3fbb9a1cef88294a77b212768999c53be0afdc2ddc29361faae904494"}) as unknown as TypedDocumentString<StrategyOrdersQuery, StrategyOrdersQueryVariables>;
export const TradeReviewDocument = /*#__PURE__*/ new TypedDocumentString(`
    query TradeReview($account: String, $category: FuturesCategoryInput! = USDT_FUTURES) {
  account(name: $account) {
    id
    name
    positionHistory(category: $category, first: 3) {
      edges {
        cursor
        node {
          id
          symbol
          posSide
          avgPrice
          avgClosePrice
          realisedPnl
          totalFunding
          createdTime
          updatedTime
          orders {
            id
            side
            orderType
            avgPrice
            cumExecQty
          }
          fills(first: 20) {
            nodes {
              id
              side
              price
              qty
              realisedPnl
              createdTime
            }
          }
          instrument {
            id
            candles(interval: HOUR_1, first: 24) {
              startTime
              open
              high
              low
              close
            }
            fundingHistory(first: 3) {
              time
              fundingRate
            }
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    `, {"hash":"sha256:24f7a3fbef235025662ab7d24566c8d4f77a8ecf8a9ddd8412726fbeea5f47cd"}) as unknown as TypedDocumentString<TradeReviewQuery, TradeReviewQueryVariables>;
export const TradingDocument = /*#__PURE__*/ new TypedDocumentString(`
    query Trading($account: String, $category: ProductCategoryInput! = USDT_FUTURES, $after: String) {
  account(name: $account) {
    id
    name
    positions {
      id
      symbol
      posSide
      qty
      avgPrice
      unrealisedPnl
      liquidationPrice
      takeProfit {
        triggerPrice
      }
      stopLoss {
        triggerPrice
      }
      instrument {
        id
        priceMultiplier
        leverage {
          max
        }
      }
      ticker {
        id
        lastPrice
        fundingRate
      }
    }
    openOrders(first: 20, after: $after) {
      edges {
        cursor
        node {
          id
          category
          symbol
          side
          orderType
          price
          qty
          cumExecQty
          status
          tpslType
          triggerPrice
          takeProfit {
            triggerPrice
          }
          stopLoss {
            triggerPrice
          }
          ticker {
            id
            bid1Price
            ask1Price
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
    planOrders(category: $category, first: 20) {
      nodes {
        id
        symbol
        planType
        triggerPrice
        takeProfit {
          triggerPrice
        }
        stopLoss {
          triggerPrice
        }
      }
    }
    spotFills: fills(category: SPOT, first: 10) {
      nodes {
        id
        symbol
        side
        price
        qty
        tradeScope
        fees {
          coin
          amount
        }
        createdTime
      }
    }
  }
}
    `, {"hash":"sha256:0ff39f35566c7366d585eab150515d6e1e3e79905d1497b31b00ebd52f6fbe08"}) as unknown as TypedDocumentString<TradingQuery, TradingQueryVariables>;
export const WatchBookDocument = /*#__PURE__*/ new TypedDocumentString(`
    subscription WatchBook($category: ProductCategoryInput! = USDT_FUTURES, $symbol: String! = "BTCUSDT") {
  orderBook(category: $category, symbol: $symbol, depth: L5) {
    orderBook {
      category
      symbol
      depth
      asks {
        price
        qty
      }
      bids {
        price
        qty
      }
      isStale
    }
  }
}
    `, {"hash":"sha256:9f5eb1667eb435aee98c541d0a355c750841ccb044af5ccbf4317e827f1734ee"}) as unknown as TypedDocumentString<WatchBookSubscription, WatchBookSubscriptionVariables>;
export const WatchOrdersDocument = /*#__PURE__*/ new TypedDocumentString(`
    subscription WatchOrders($account: String) {
  orders(account: $account) {
    orders {
      id
      category
      symbol
      side
      price
      qty
      cumExecQty
      status
    }
  }
}
    `, {"hash":"sha256:1cefeb5d784793b4cb29848c5388174892ace4d49a38b21140ae8547ce745d25"}) as unknown as TypedDocumentString<WatchOrdersSubscription, WatchOrdersSubscriptionVariables>;
export const WatchPositionsDocument = /*#__PURE__*/ new TypedDocumentString(`
    subscription WatchPositions($account: String) {
  positions(account: $account) {
    positions {
      id
      category
      symbol
      posSide
      qty
      avgPrice
      markPrice
      unrealisedPnl
      distanceToLiquidation
    }
  }
}
    `, {"hash":"sha256:221abb3e4721b8b405b53227fa8367fc19424a3234dc231a8ebd04f146133ca7"}) as unknown as TypedDocumentString<WatchPositionsSubscription, WatchPositionsSubscriptionVariables>;
export const WatchTickerDocument = /*#__PURE__*/ new TypedDocumentString(`
    subscription WatchTicker($category: ProductCategoryInput! = USDT_FUTURES, $symbol: String! = "BTCUSDT") {
  ticker(category: $category, symbol: $symbol) {
    ticker {
      id
      lastPrice
      bid1Price
      ask1Price
      markPrice
      fundingRate
    }
  }
}
    `, {"hash":"sha256:a5c6855d59ce920c70e049436c67be66997b4f7b11f769079582e6819ddae4b6"}) as unknown as TypedDocumentString<WatchTickerSubscription, WatchTickerSubscriptionVariables>;