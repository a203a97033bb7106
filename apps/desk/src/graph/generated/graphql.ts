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

/** Price that the activation price of a trailing stop is compared with (`activationType`). For arguments and inputs: `ActivationPrice` without `UNRECOGNIZED` */
export type ActivationPriceInput =
  /** The index price; futures only */
  | 'INDEX'
  /** The mark price */
  | 'MARK'
  /** The last trade */
  | 'MARKET';

/** Margin to put into an isolated position, or to take out of it. Classic accounts only */
export type AdjustPositionMarginInput = {
  /** Name of the account in this gateway. Required if the client sees more than one; with one it is that one */
  account?: string | null | undefined;
  /** In margin coin: positive to put in, negative to take out */
  amount: string;
  /** Futures category of the position, or its demo twin (`productType`) */
  category: FuturesProductType;
  /** Validate the input and return the request without sending it. Default: false. It checks the rules of the endpoint and of the symbol, the account's mode, halts, the gateway's limits and, for a new order, the balance. Rules that only the exchange knows are not checked */
  dryRun?: boolean | null | undefined;
  /** Idempotency key, 1 to 128 characters. Repeated and simultaneous calls with the same key and input return the outcome of the first one and send nothing. Default: the `clientOid` of a new order or a withdrawal, the `newClientOid` of a change, the `traceId` of a conversion, and otherwise none, so that every call is a new write */
  idempotencyKey?: string | null | undefined;
  /** Margin coin in capitals. Default: the contract's own */
  marginCoin?: string | null | undefined;
  /** Which position (`holdSide`) */
  posSide: PositionSideInput;
  /** Symbol name, for example `BTCUSDT`; letter case does not matter */
  symbol: string;
};

/** State of the reconstruction of an account's past */
export type BackfillStatus =
  /** Everything that the exchange keeps, or as far back as a setting says */
  | 'COMPLETE'
  /** It goes on, at the lowest priority; while the exchange is out of service it waits */
  | 'RUNNING'
  /** The exchange's record of an execution could not be read, so nothing before it is known */
  | 'STOPPED'
  /** It begins once the account has two samples and its financial records are stored */
  | 'WAITING';

/** An order of a batch */
export type BatchOrderInput = {
  /** Product category. MARGIN exists on unified accounts only */
  category: ProductCategoryInput;
  /** The client's own identifier of the order. It is also the idempotency key. 1 to 32 letters, digits and `. : / _ -` (Classic accounts: up to 64 characters). Default: one that the gateway makes */
  clientOid?: string | null | undefined;
  /** Idempotency key, as of a single write: it belongs to this order alone, in a batch or by itself. Default: its `clientOid` */
  idempotencyKey?: string | null | undefined;
  /** Margin mode of a futures or margin order. Default: the account's setting for the symbol */
  marginMode?: MarginModeInput | null | undefined;
  /** Type of the order: limit or market */
  orderType: OrderTypeInput;
  /** Side of the position: required in hedge mode, where `side` and `posSide` together decide what is opened or closed */
  posSide?: PositionSideInput | null | undefined;
  /** Limit price, in quote coin: required for a limit order, refused for a market order */
  price?: string | null | undefined;
  /** Quantity in base coin: required except for a market buy on SPOT and MARGIN (Classic: `size`) */
  qty?: string | null | undefined;
  /** Amount of quote coin to spend: required for a market buy on SPOT and MARGIN, and allowed for no other order */
  quoteQty?: string | null | undefined;
  /** Milliseconds after its creation within which the order has to reach the exchange. Not on Classic futures. On unified accounts a late order is cancelled */
  receiveWindow?: number | null | undefined;
  /** Only reduce the position. For futures in one-way mode; in hedge mode `side` and `posSide` decide it. Default: false */
  reduceOnly?: boolean | null | undefined;
  /** Whether base coin is bought or sold, also when closing a position: a long is closed by SELL with `posSide` LONG */
  side: OrderSideInput;
  /** Stop-loss attached to the order; not on SPOT and MARGIN of a unified account */
  stopLoss?: ExitInput | null | undefined;
  /** Self-trade prevention: what happens when the order would trade with another order of the account. Default: NONE */
  stpMode?: StpModeInput | null | undefined;
  /** Symbol name, for example `BTCUSDT`; letter case does not matter */
  symbol: string;
  /** Take-profit attached to the order; not on SPOT and MARGIN of a unified account */
  takeProfit?: ExitInput | null | undefined;
  /** Time in force of a limit order (Classic: `force`). Default: GTC */
  timeInForce?: TimeInForceInput | null | undefined;
  /** Trigger price, in quote coin: the order is placed once it is reached. Classic SPOT only; such an order cannot have a `clientOid`, so a lost answer stays UNKNOWN */
  triggerPrice?: string | null | undefined;
};

/** Place in the book at which an order is priced (`executionStrategy`). For arguments and inputs: `BookPlace` without `UNRECOGNIZED` */
export type BookPlaceInput =
  /** The best price of the other side */
  | 'COUNTERPARTY1'
  /** The best price of its own side */
  | 'QUEUE1';

/** State of an endpoint's circuit breaker */
export type BreakerState =
  /** Calls are sent */
  | 'CLOSED'
  /** The pause is over: one call is sent to try */
  | 'HALF_OPEN'
  /** The endpoint kept failing: calls fail with EXCHANGE_UNAVAILABLE without being sent */
  | 'OPEN';

/** The cancellation of an order, or of a trigger order */
export type CancelOrderInput = {
  /** Name of the account in this gateway. Required if the client sees more than one; with one it is that one */
  account?: string | null | undefined;
  /** The order, by one of its identifiers */
  by: OrderIdentifier;
  /** Product category of the order */
  category: ProductCategoryInput;
  /** Validate the input and return the request without sending it. Default: false. It checks the rules of the endpoint and of the symbol, the account's mode, halts, the gateway's limits and, for a new order, the balance. Rules that only the exchange knows are not checked */
  dryRun?: boolean | null | undefined;
  /** Idempotency key, 1 to 128 characters. Repeated and simultaneous calls with the same key and input return the outcome of the first one and send nothing. Default: the `clientOid` of a new order or a withdrawal, the `newClientOid` of a change, the `traceId` of a conversion, and otherwise none, so that every call is a new write */
  idempotencyKey?: string | null | undefined;
  /** Kind of order. Default: ORDER */
  kind?: CancelledKind | null | undefined;
  /** Symbol name; required on a Classic account */
  symbol?: string | null | undefined;
};

/** Why an order was cancelled (`cancelReason`) */
export type CancelReason =
  /** Auto-deleveraging cancelled it */
  | 'ADL_CANCEL'
  /** The contract was taken back */
  | 'BACK_CONTRACT_CANCEL'
  /** The position behind it was liquidated */
  | 'BURST_CANCEL'
  /** The call auction ended */
  | 'CALL_AUCTION_CANCEL'
  /** It arrived after its receive window had closed */
  | 'CANCEL_RECEIVE_WINDOW'
  /** The exchange's risk control cancelled it */
  | 'DELEGATED_RISK_ORDER_CANCEL'
  /** The contract was delivered */
  | 'DELIVERY_ORDER_CANCEL'
  /** Fill or kill: it could not be filled whole */
  | 'FOK_NOT_FULL_CANCEL'
  /** Immediate or cancel: the rest could not be filled at once */
  | 'IOC_NOT_FULL_CANCEL'
  /** Its price lay beyond the limit */
  | 'LIMIT_PRICE_EXCEED_CANCEL'
  /** It was replaced by its modification */
  | 'MODIFY_LIMIT_ORDER'
  /** Its owner cancelled it */
  | 'NORMAL_CANCEL'
  /** The account's equity no longer covered it */
  | 'PENETRATE_CANCEL'
  /** Post only: it would have traded at once */
  | 'POST_ONLY_FILL_CANCEL'
  /** It would have traded with its owner's own order */
  | 'SELF_TRADE_CANCEL'
  /** The price would have slipped too far */
  | 'SLIPPAGE_CANCEL'
  /** Self-trade prevention cancelled it */
  | 'STP_CANCEL'
  /** Its take-profit or stop-loss was cancelled */
  | 'TPSL_PLAN_CANCEL'
  /** A copied trader's order was cancelled */
  | 'TRADER_ORDER_CANCEL'
  /** The quantity that was left was too small to trade */
  | 'TRADE_COUNT_TOO_SMALL'
  /** It exceeded the largest size of a deal */
  | 'TRADE_MAX_DEAL_SIZE_CANCEL'
  /** It would have traded in too many pieces */
  | 'TRADE_TOO_MANY_TIMES_CANCEL'
  /** A value that this version does not recognize; the `Raw` field beside it has the exchange's text */
  | 'UNRECOGNIZED';

/** Kind of order to cancel */
export type CancelledKind =
  /** An order in the book */
  | 'ORDER'
  /** A trigger order of any kind (`PlanOrder`), those that run included: a take-profit, stop-loss or trailing stop, an OCO, iceberg or TWAP order; on Classic spot an order with a trigger price */
  | 'PLAN_ORDER';

/** Length of a candle. Six hours and longer begin on the exchange's own days (UTC+8), unless the name says UTC */
export type CandleInterval =
  /** Three days from midnight at UTC+8 (`3D`) */
  | 'DAYS_3'
  /** Three days from midnight UTC (`3Dutc`) */
  | 'DAYS_3_UTC'
  /** One day from midnight at UTC+8 (`1D`) */
  | 'DAY_1'
  /** One day from midnight UTC (`1Dutc`) */
  | 'DAY_1_UTC'
  /** Two hours (`2H`) */
  | 'HOURS_2'
  /** Four hours (`4H`) */
  | 'HOURS_4'
  /** Six hours from midnight at UTC+8 (`6H`) */
  | 'HOURS_6'
  /** Six hours from midnight UTC (`6Hutc`) */
  | 'HOURS_6_UTC'
  /** Twelve hours from midnight at UTC+8 (`12H`) */
  | 'HOURS_12'
  /** Twelve hours from midnight UTC (`12Hutc`) */
  | 'HOURS_12_UTC'
  /** One hour (`1H`) */
  | 'HOUR_1'
  /** Three minutes (`3m`) */
  | 'MINUTES_3'
  /** Five minutes (`5m`) */
  | 'MINUTES_5'
  /** Fifteen minutes (`15m`) */
  | 'MINUTES_15'
  /** Thirty minutes (`30m`) */
  | 'MINUTES_30'
  /** One minute (`1m`) */
  | 'MINUTE_1'
  /** One month from midnight at UTC+8 (`1M`) */
  | 'MONTH_1'
  /** One month from midnight UTC (`1Mutc`) */
  | 'MONTH_1_UTC'
  /** One week from midnight at UTC+8 (`1W`) */
  | 'WEEK_1'
  /** One week from midnight UTC (`1Wutc`) */
  | 'WEEK_1_UTC';

/** The new terms of a trigger order, of its own kind: all of them, those that stay included */
export type ChangedPlanTermsInput =
  {   /** Exits of a position; one that is missing is removed */
  tpsl: TpslTermsInput; trailing?: never; trigger?: never; }
  |  { tpsl?: never;   /** A trailing order; Classic accounts only */
  trailing: TrailingTermsInput; trigger?: never; }
  |  { tpsl?: never; trailing?: never;   /** An order that is placed when a price is reached */
  trigger: TriggerTermsInput; };

/** The purse of an account that holds a coin */
export type CoinPool =
  /** The coin futures account of a Classic account */
  | 'COIN_FUTURES'
  /** The spot account of a Classic account */
  | 'SPOT'
  /** The unified account */
  | 'UNIFIED'
  /** The USDC futures account of a Classic account */
  | 'USDC_FUTURES'
  /** The USDT futures account of a Classic account */
  | 'USDT_FUTURES';

/** A conversion at a quotation of `convertQuote`: every field exactly as quoted, within 8 seconds, once */
export type ConvertInput = {
  /** Name of the account in this gateway. Required if the client sees more than one; with one it is that one */
  account?: string | null | undefined;
  /** Validate the input and return the request without sending it. Default: false. It checks the rules of the endpoint and of the symbol, the account's mode, halts, the gateway's limits and, for a new order, the balance. Rules that only the exchange knows are not checked */
  dryRun?: boolean | null | undefined;
  /** Amount given, as quoted (`fromCoinSize`) */
  fromAmount: string;
  /** Coin given, as quoted */
  fromCoin: string;
  /** Idempotency key, 1 to 128 characters. Repeated and simultaneous calls with the same key and input return the outcome of the first one and send nothing. Default: the `clientOid` of a new order or a withdrawal, the `newClientOid` of a change, the `traceId` of a conversion, and otherwise none, so that every call is a new write */
  idempotencyKey?: string | null | undefined;
  /** Price, as quoted (`cnvtPrice`) */
  price: string;
  /** Amount received, as quoted (`toCoinSize`) */
  toAmount: string;
  /** Coin received, as quoted */
  toCoin: string;
  /** Identifier of the quotation */
  traceId: string;
};

/** What does not agree with the exchange */
export type DifferenceKind =
  /** The balance of a coin has changed otherwise than the exchange's records say. `expected`: change by the records, `found`: change of the balance, in the coin */
  | 'BALANCE_UNEXPLAINED'
  /** The exchange lists other executions of an order than the order says. `expected`: filled quantity of the order, `found`: sum of its executions, in base coin */
  | 'FILLS_INCOMPLETE'
  /** The exchange accepted an order, and does not have it */
  | 'ORDER_MISSING'
  /** An order was filled that was not placed through this gateway, nor by a trigger order or by the exchange itself. `found`: its filled quantity, in base coin */
  | 'ORDER_NOT_JOURNALED'
  /** The outcome of a write was still not known after the day */
  | 'WRITE_UNSETTLED';

/** Why there is no sample of an interval */
export type EquityGapReason =
  /** Its lists were still being read */
  | 'BEING_READ'
  /** The account's streams were interrupted */
  | 'INTERRUPTED'
  /** Something was not known that its figures depend on, or of the past an execution could not be read */
  | 'NOT_COMPUTABLE'
  /** It is before everything that could be rebuilt: the exchange keeps nothing of it any more */
  | 'NOT_KEPT'
  /** The gateway was not running, or could not store it */
  | 'NOT_RECORDED'
  /** The exchange's formulas had not reproduced its figures yet */
  | 'NOT_REPRODUCED'
  /** The price of a coin was not known */
  | 'NO_PRICE';

/** Interval of the points of an equity curve */
export type EquityInterval =
  /** The last sample of each day, in UTC */
  | 'DAY'
  /** The last sample of each hour */
  | 'HOUR'
  /** Every recorded sample: one a minute, unless `HISTORY_INTERVAL_MINUTES` says otherwise. Kept for 31 days */
  | 'MINUTE';

/** Source of a recorded sample */
export type EquitySource =
  /** Computed backwards from the money history and past prices */
  | 'RECONSTRUCTED'
  /** Proven live state of the account */
  | 'STREAM';

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

/** Kind of the exchange, and whether its money is real */
export type ExchangeKind =
  /** The exchange's demo environment: play money */
  | 'DEMO'
  /** The exchange itself: real money */
  | 'REAL'
  /** A sandbox exchange on the gateway's own machine: play money */
  | 'SANDBOX';

/** Why an order was executed (`execType`) */
export type ExecType =
  /** A contract was delivered */
  | 'DELIVERY'
  /** The exchange liquidated a position */
  | 'LIQUIDATION'
  /** Placed by its owner */
  | 'NORMAL'
  /** Positions were set off against each other */
  | 'OFFSET'
  /** The exchange reduced a position */
  | 'REDUCE'
  /** A value that this version does not recognize; the `Raw` field beside it has the exchange's text */
  | 'UNRECOGNIZED';

/** A take-profit or stop-loss attached to an order */
export type ExitInput = {
  /** Limit price, in quote coin. Default: at market */
  limitPrice?: string | null | undefined;
  /** Price that the trigger price is compared with. Unified accounts only. Default: MARKET */
  triggerBy?: TriggerByInput | null | undefined;
  /** Trigger price, in quote coin. When an order is changed, 0 removes it */
  triggerPrice: string;
};

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

/** `productType` of Classic futures: the three categories and their demo twins */
export type FuturesProductType =
  /** Futures margined and settled in their base coin, such as BTCUSD */
  | 'COIN_FUTURES'
  /** Demo twin of COIN_FUTURES */
  | 'SCOIN_FUTURES'
  /** Demo twin of USDC_FUTURES */
  | 'SUSDC_FUTURES'
  /** Demo twin of USDT_FUTURES */
  | 'SUSDT_FUTURES'
  /** Futures margined and settled in USDC, such as BTCPERP */
  | 'USDC_FUTURES'
  /** Futures margined and settled in USDT, such as BTCUSDT */
  | 'USDT_FUTURES';

/** A halt of trading, for one account or for all. Set either `account` or `allAccounts: true` */
export type HaltTradingInput = {
  /** Name of the account in this gateway */
  account?: string | null | undefined;
  /** Halt every account; needs the scope for all accounts. Default: false */
  allAccounts?: boolean | null | undefined;
  /** Also end everything that can add risk: cancel every open order, including those being sent, and every trigger order. Take-profits, stop-losses and trailing stops of existing positions stay: `kept` lists them. Default: false */
  cancelOpen?: boolean | null | undefined;
  /** Reason, shown in the errors of refused writes: at most 200 printable characters */
  reason?: string | null | undefined;
};

/** Position mode: one position per symbol, or one per side */
export type HoldMode =
  /** A long and a short of the same symbol can exist at the same time; orders name their `posSide` */
  | 'HEDGE_MODE'
  /** One position per symbol: buying reduces a short, selling reduces a long */
  | 'ONE_WAY_MODE'
  /** A value that this version does not recognize; the `Raw` field beside it has the exchange's text */
  | 'UNRECOGNIZED';

/** Position mode: one position per symbol, or one per side. For arguments and inputs: `HoldMode` without `UNRECOGNIZED` */
export type HoldModeInput =
  /** A long and a short of the same symbol can exist at the same time; orders name their `posSide` */
  | 'HEDGE_MODE'
  /** One position per symbol: buying reduces a short, selling reduces a long */
  | 'ONE_WAY_MODE';

/** How an iceberg order is divided */
export type IcebergPartsInput =
  {   /** Number of equal parts, 1 to 100 */
  count: number; qty?: never; }
  |  { count?: never;   /** Quantity of one part, in base coin */
  qty: string; };

/** How the parts of an iceberg order are priced */
export type IcebergPriceInput =
  {   /** At a place in the book */
  bookPlace: BookPlaceInput; distancePercentage?: never; distanceSpread?: never; fixedPrice?: never; }
  |  { bookPlace?: never;   /** At a distance from the market, in percent */
  distancePercentage: string; distanceSpread?: never; fixedPrice?: never; }
  |  { bookPlace?: never; distancePercentage?: never;   /** At a distance from the market, in quote coin */
  distanceSpread: string; fixedPrice?: never; }
  |  { bookPlace?: never; distancePercentage?: never; distanceSpread?: never;   /** At one price, in quote coin */
  fixedPrice: string; };

/** An order of which one part at a time is in the book */
export type IcebergTermsInput = {
  /** Its parts */
  parts: IcebergPartsInput;
  /** The price of its parts */
  price: IcebergPriceInput;
  /** Worst price of a part, in quote coin; not with `fixedPrice`. Default: none */
  priceLimit?: string | null | undefined;
};

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

/** Categories for which leverage can be set */
export type LeverageCategory =
  /** Futures margined and settled in their base coin, such as BTCUSD */
  | 'COIN_FUTURES'
  /** Borrowed coins; unified accounts only */
  | 'MARGIN'
  /** Futures margined and settled in USDC, such as BTCPERP */
  | 'USDC_FUTURES'
  /** Futures margined and settled in USDT, such as BTCUSDT */
  | 'USDT_FUTURES';

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

/** Margin mode of a position. For arguments and inputs: `MarginMode` without `UNRECOGNIZED` */
export type MarginModeInput =
  /** The account's whole balance of the margin coin, shared with its other cross positions */
  | 'CROSSED'
  /** Only the margin that was assigned to this position */
  | 'ISOLATED';

/** A change of an open order. A unified account changes it in place; Classic spot cancels it and places another one; a new price or quantity on Classic futures creates a new order too */
export type ModifyOrderInput = {
  /** Name of the account in this gateway. Required if the client sees more than one; with one it is that one */
  account?: string | null | undefined;
  /** Cancel the order when it cannot be changed. Unified accounts only. Default: false */
  autoCancel?: boolean | null | undefined;
  /** The order, by one of its identifiers */
  by: OrderIdentifier;
  /** Product category of the order */
  category: ProductCategoryInput;
  /** Validate the input and return the request without sending it. Default: false. It checks the rules of the endpoint and of the symbol, the account's mode, halts, the gateway's limits and, for a new order, the balance. Rules that only the exchange knows are not checked */
  dryRun?: boolean | null | undefined;
  /** Idempotency key, 1 to 128 characters. Repeated and simultaneous calls with the same key and input return the outcome of the first one and send nothing. Default: the `clientOid` of a new order or a withdrawal, the `newClientOid` of a change, the `traceId` of a conversion, and otherwise none, so that every call is a new write */
  idempotencyKey?: string | null | undefined;
  /** The client's own identifier of the new order. Classic accounts only. Default: generated by the gateway */
  newClientOid?: string | null | undefined;
  /** New limit price, in quote coin */
  price?: string | null | undefined;
  /** New quantity, in base coin. Classic spot requires it and `price`, Classic futures both or neither */
  qty?: string | null | undefined;
  /** New stop-loss */
  stopLoss?: ExitInput | null | undefined;
  /** Symbol name, for example `BTCUSDT`; letter case does not matter */
  symbol: string;
  /** New take-profit */
  takeProfit?: ExitInput | null | undefined;
};

/** A change of an open trigger order, in place. Unified accounts change exits and triggers; Classic accounts exits, triggers and trailing orders. Others are cancelled and placed anew */
export type ModifyPlanOrderInput = {
  /** Name of the account in this gateway. Required if the client sees more than one; with one it is that one */
  account?: string | null | undefined;
  /** The order, by one of its identifiers */
  by: OrderIdentifier;
  /** Product category of the order */
  category: ProductCategoryInput;
  /** Validate the input and return the request without sending it. Default: false. It checks the rules of the endpoint and of the symbol, the account's mode, halts, the gateway's limits and, for a new order, the balance. Rules that only the exchange knows are not checked */
  dryRun?: boolean | null | undefined;
  /** Idempotency key, 1 to 128 characters. Repeated and simultaneous calls with the same key and input return the outcome of the first one and send nothing. Default: the `clientOid` of a new order or a withdrawal, the `newClientOid` of a change, the `traceId` of a conversion, and otherwise none, so that every call is a new write */
  idempotencyKey?: string | null | undefined;
  /** New quantity, in base coin; not for exits of a whole position. Default: unchanged */
  qty?: string | null | undefined;
  /** Symbol name, for example `BTCUSDT`; letter case does not matter */
  symbol: string;
  /** New terms. Default: unchanged */
  terms?: ChangedPlanTermsInput | null | undefined;
};

/** A new e-mail address for a broker's sub-account */
export type ModifySubAccountEmailInput = {
  /** Name of the account in this gateway. Required if the client sees more than one; with one it is that one */
  account?: string | null | undefined;
  /** Validate the input and return the request without sending it. Default: false. It checks the rules of the endpoint and of the symbol, the account's mode, halts, the gateway's limits and, for a new order, the balance. Rules that only the exchange knows are not checked */
  dryRun?: boolean | null | undefined;
  /** The new address */
  email: string;
  /** Idempotency key, 1 to 128 characters. Repeated and simultaneous calls with the same key and input return the outcome of the first one and send nothing. Default: the `clientOid` of a new order or a withdrawal, the `newClientOid` of a change, the `traceId` of a conversion, and otherwise none, so that every call is a new write */
  idempotencyKey?: string | null | undefined;
  /** User identifier of the sub-account */
  subUid: string;
};

/** A limit order in the book, and another order that takes its place at a trigger price */
export type OcoTermsInput = {
  /** Limit price of the other order, in quote coin. Default: at market */
  executePrice?: string | null | undefined;
  /** Price of the limit order, in quote coin: below the market for a buy, above for a sell */
  limitPrice: string;
  /** Trigger price of the other order, in quote coin: above the market for a buy, below for a sell */
  triggerPrice: string;
};

/** The identifier of an order or a trigger order: exactly one of its two */
export type OrderIdentifier =
  {   /** The client's own identifier */
  clientOid: string; orderId?: never; }
  |  { clientOid?: never;   /** The exchange's identifier */
  orderId: string; };

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

/** Type of an order: limit or market. For arguments and inputs: `OrderType` without `UNRECOGNIZED` */
export type OrderTypeInput =
  /** At its limit price or better */
  | 'LIMIT'
  /** At the best prices of the book */
  | 'MARKET';

/** What the rows of a performance are about */
export type PerformanceGroup =
  /** One row per account; of several accounts also one for all of them together, without an account */
  | 'ACCOUNT'
  /** One row per product category */
  | 'CATEGORY'
  /** One row per calendar month, in UTC */
  | 'MONTH'
  /** One row per symbol */
  | 'SYMBOL';

/** An order of any category, on Classic and unified accounts */
export type PlaceOrderInput = {
  /** Name of the account in this gateway. Required if the client sees more than one; with one it is that one */
  account?: string | null | undefined;
  /** Product category. MARGIN exists on unified accounts only */
  category: ProductCategoryInput;
  /** The client's own identifier of the order. It is also the idempotency key. 1 to 32 letters, digits and `. : / _ -` (Classic accounts: up to 64 characters). Default: one that the gateway makes */
  clientOid?: string | null | undefined;
  /** Validate the input and return the request without sending it. Default: false. It checks the rules of the endpoint and of the symbol, the account's mode, halts, the gateway's limits and, for a new order, the balance. Rules that only the exchange knows are not checked */
  dryRun?: boolean | null | undefined;
  /** Idempotency key, 1 to 128 characters. Repeated and simultaneous calls with the same key and input return the outcome of the first one and send nothing. Default: the `clientOid` of a new order or a withdrawal, the `newClientOid` of a change, the `traceId` of a conversion, and otherwise none, so that every call is a new write */
  idempotencyKey?: string | null | undefined;
  /** Margin mode of a futures or margin order. Default: the account's setting for the symbol */
  marginMode?: MarginModeInput | null | undefined;
  /** Type of the order: limit or market */
  orderType: OrderTypeInput;
  /** Side of the position: required in hedge mode, where `side` and `posSide` together decide what is opened or closed */
  posSide?: PositionSideInput | null | undefined;
  /** Limit price, in quote coin: required for a limit order, refused for a market order */
  price?: string | null | undefined;
  /** Quantity in base coin: required except for a market buy on SPOT and MARGIN (Classic: `size`) */
  qty?: string | null | undefined;
  /** Amount of quote coin to spend: required for a market buy on SPOT and MARGIN, and allowed for no other order */
  quoteQty?: string | null | undefined;
  /** Milliseconds after its creation within which the order has to reach the exchange. Not on Classic futures. On unified accounts a late order is cancelled */
  receiveWindow?: number | null | undefined;
  /** Only reduce the position. For futures in one-way mode; in hedge mode `side` and `posSide` decide it. Default: false */
  reduceOnly?: boolean | null | undefined;
  /** Whether base coin is bought or sold, also when closing a position: a long is closed by SELL with `posSide` LONG */
  side: OrderSideInput;
  /** Stop-loss attached to the order; not on SPOT and MARGIN of a unified account */
  stopLoss?: ExitInput | null | undefined;
  /** Self-trade prevention: what happens when the order would trade with another order of the account. Default: NONE */
  stpMode?: StpModeInput | null | undefined;
  /** Symbol name, for example `BTCUSDT`; letter case does not matter */
  symbol: string;
  /** Take-profit attached to the order; not on SPOT and MARGIN of a unified account */
  takeProfit?: ExitInput | null | undefined;
  /** Time in force of a limit order (Classic: `force`). Default: GTC */
  timeInForce?: TimeInForceInput | null | undefined;
  /** Trigger price, in quote coin: the order is placed once it is reached. Classic SPOT only; such an order cannot have a `clientOid`, so a lost answer stays UNKNOWN */
  triggerPrice?: string | null | undefined;
};

/** Orders of one account that are placed together */
export type PlaceOrdersInput = {
  /** Name of the account in this gateway. Required if the client sees more than one; with one it is that one */
  account?: string | null | undefined;
  /** Validate all orders, their limits together, and return their requests without sending them. Default: false */
  dryRun?: boolean | null | undefined;
  /** The orders: 1 to 50, in any mix of categories and symbols */
  orders: Array<BatchOrderInput>;
};

/** A trigger order of any kind. SPOT and MARGIN exist on unified accounts only; Classic spot takes `placeOrder` with a `triggerPrice` */
export type PlacePlanOrderInput = {
  /** Name of the account in this gateway. Required if the client sees more than one; with one it is that one */
  account?: string | null | undefined;
  /** Product category */
  category: ProductCategoryInput;
  /** The client's own identifier of the order. It is also the idempotency key. 1 to 32 letters, digits and `. : / _ -` (Classic accounts: up to 64 characters). Default: one that the gateway makes */
  clientOid?: string | null | undefined;
  /** Validate the input and return the request without sending it. Default: false. It checks the rules of the endpoint and of the symbol, the account's mode, halts, the gateway's limits and, for a new order, the balance. Rules that only the exchange knows are not checked */
  dryRun?: boolean | null | undefined;
  /** Idempotency key, 1 to 128 characters. Repeated and simultaneous calls with the same key and input return the outcome of the first one and send nothing. Default: the `clientOid` of a new order or a withdrawal, the `newClientOid` of a change, the `traceId` of a conversion, and otherwise none, so that every call is a new write */
  idempotencyKey?: string | null | undefined;
  /** Side of the position: required for exits, and in hedge mode, where `side` and `posSide` together decide what is opened or closed */
  posSide?: PositionSideInput | null | undefined;
  /** The whole quantity in base coin, on SPOT and MARGIN too: required except for exits, which close the whole position without it */
  qty?: string | null | undefined;
  /** Only reduce the position. For futures in one-way mode. Default: false */
  reduceOnly?: boolean | null | undefined;
  /** Whether base coin is bought or sold, also when closing a position: required except for exits of a position */
  side?: OrderSideInput | null | undefined;
  /** Symbol name, for example `BTCUSDT`; letter case does not matter */
  symbol: string;
  /** What it does */
  terms: PlanOrderTermsInput;
};

/** A take-profit, stop-loss or trailing stop on a futures position */
export type PlaceTpslOrderInput = {
  /** Name of the account in this gateway. Required if the client sees more than one; with one it is that one */
  account?: string | null | undefined;
  /** Distance of a trailing stop from the price, as a fraction (`rangeRate`, in percent): required for MOVING_PLAN */
  callbackRate?: string | null | undefined;
  /** Futures category of the position; a demo twin on Classic accounts only */
  category: FuturesProductType;
  /** The client's own identifier of the order. It is also the idempotency key. 1 to 32 letters, digits and `. : / _ -` (Classic accounts: up to 64 characters). Default: one that the gateway makes */
  clientOid?: string | null | undefined;
  /** Validate the input and return the request without sending it. Default: false. It checks the rules of the endpoint and of the symbol, the account's mode, halts, the gateway's limits and, for a new order, the balance. Rules that only the exchange knows are not checked */
  dryRun?: boolean | null | undefined;
  /** Limit price of the triggered order, in quote coin; 0 means at market. Not with MOVING_PLAN. Default: at market */
  executePrice?: string | null | undefined;
  /** Idempotency key, 1 to 128 characters. Repeated and simultaneous calls with the same key and input return the outcome of the first one and send nothing. Default: the `clientOid` of a new order or a withdrawal, the `newClientOid` of a change, the `traceId` of a conversion, and otherwise none, so that every call is a new write */
  idempotencyKey?: string | null | undefined;
  /** Kind of trigger order; MOVING_PLAN exists on Classic accounts only */
  planType: TpslPlanType;
  /** Side of the position, required in one-way mode too (Classic: `holdSide`, which says buy and sell there) */
  posSide: PositionSideInput;
  /** Quantity in base coin: required except for POS_PROFIT and POS_LOSS (Classic: `size`) */
  qty?: string | null | undefined;
  /** Classic accounts only. Self-trade prevention: what happens when the order would trade with another order of the account. Default: NONE */
  stpMode?: StpModeInput | null | undefined;
  /** Symbol name, for example `BTCUSDT`; letter case does not matter */
  symbol: string;
  /** Price that the trigger price is compared with (Classic: `triggerType`) */
  triggerBy?: TriggerByInput | null | undefined;
  /** Trigger price, in quote coin */
  triggerPrice: string;
};

/** Whether the take-profit or the stop-loss of a trigger order was triggered */
export type PlanExit =
  /** The stop-loss was triggered */
  | 'STOP_LOSS'
  /** The take-profit was triggered */
  | 'TAKE_PROFIT'
  /** A value that this version does not recognize; the `Raw` field beside it has the exchange's text */
  | 'UNRECOGNIZED';

/** The terms of a trigger order: exactly one kind. OCO, iceberg and TWAP orders exist on unified accounts only */
export type PlanOrderTermsInput =
  {   /** An order of which one part at a time is in the book */
  iceberg: IcebergTermsInput; oco?: never; tpsl?: never; trailingStop?: never; trigger?: never; twap?: never; }
  |  { iceberg?: never;   /** One cancels the other */
  oco: OcoTermsInput; tpsl?: never; trailingStop?: never; trigger?: never; twap?: never; }
  |  { iceberg?: never; oco?: never;   /** Exits of a futures position, which `posSide` names. Not on SPOT and MARGIN, which have no positions: `trigger` and `oco` are what the exchange documents there */
  tpsl: TpslTermsInput; trailingStop?: never; trigger?: never; twap?: never; }
  |  { iceberg?: never; oco?: never; tpsl?: never;   /** An order that is placed when the price comes back by a distance */
  trailingStop: TrailingStopTermsInput; trigger?: never; twap?: never; }
  |  { iceberg?: never; oco?: never; tpsl?: never; trailingStop?: never;   /** An order that is placed when a price is reached */
  trigger: TriggerTermsInput; twap?: never; }
  |  { iceberg?: never; oco?: never; tpsl?: never; trailingStop?: never; trigger?: never;   /** An order in equal parts at intervals */
  twap: TwapTermsInput; };

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

/** Direction of a position. For arguments and inputs: `PositionSide` without `UNRECOGNIZED` */
export type PositionSideInput =
  /** It gains when the price rises */
  | 'LONG'
  /** It gains when the price falls */
  | 'SHORT';

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

/** Coins to take out of savings. The exchange requires more than a minute between two redemptions */
export type RedeemSavingsInput = {
  /** Name of the account in this gateway. Required if the client sees more than one; with one it is that one */
  account?: string | null | undefined;
  /** Amount, in the product's coin */
  amount: string;
  /** Validate the input and return the request without sending it. Default: false. It checks the rules of the endpoint and of the symbol, the account's mode, halts, the gateway's limits and, for a new order, the balance. Rules that only the exchange knows are not checked */
  dryRun?: boolean | null | undefined;
  /** Idempotency key, 1 to 128 characters. Repeated and simultaneous calls with the same key and input return the outcome of the first one and send nothing. Default: the `clientOid` of a new order or a withdrawal, the `newClientOid` of a change, the `traceId` of a conversion, and otherwise none, so that every call is a new write */
  idempotencyKey?: string | null | undefined;
  /** Identifier of the holding: needed for fixed terms */
  orderId?: string | null | undefined;
  /** Kind of term */
  periodType: SavingsPeriodTypeInput;
  /** The exchange's identifier of the product */
  productId: string;
};

/** The end of a halt, of one account or of all. Set either `account` or `allAccounts: true` */
export type ResumeTradingInput = {
  /** Name of the account in this gateway: ends its own halt */
  account?: string | null | undefined;
  /** End the halt of all accounts; accounts that are halted by name stay halted. Default: false */
  allAccounts?: boolean | null | undefined;
};

/** State of savings that are held */
export type SavingsHoldingStatus =
  /** They earn interest (also spelt `in_holding`) */
  | 'IN_PROGRESS'
  /** They are being paid back */
  | 'IN_REDEMPTION'
  /** A value that this version does not recognize; the `Raw` field beside it has the exchange's text */
  | 'UNRECOGNIZED';

/** Kind of term of a savings product (`periodType`) */
export type SavingsPeriodType =
  /** It runs for a set number of days */
  | 'FIXED'
  /** It can be redeemed at any time */
  | 'FLEXIBLE'
  /** A value that this version does not recognize; the `Raw` field beside it has the exchange's text */
  | 'UNRECOGNIZED';

/** Kind of term of a savings product (`periodType`). For arguments and inputs: `SavingsPeriodType` without `UNRECOGNIZED` */
export type SavingsPeriodTypeInput =
  /** It runs for a set number of days */
  | 'FIXED'
  /** It can be redeemed at any time */
  | 'FLEXIBLE';

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

/** What a savings record is about (`orderType`). For arguments and inputs: `SavingsRecordType` without `UNRECOGNIZED` */
export type SavingsRecordTypeInput =
  /** Interest was deducted, for redeeming early */
  | 'DEDUCTION'
  /** Interest was paid out */
  | 'PAY_INTEREST'
  /** Coins were paid back */
  | 'REDEEM'
  /** Coins were paid in */
  | 'SUBSCRIBE';

/** When interest is paid (`settleMethod`) */
export type SavingsSettleMethod =
  /** Every day of the term */
  | 'DAILY'
  /** At the end of the term */
  | 'MATURITY'
  /** A value that this version does not recognize; the `Raw` field beside it has the exchange's text */
  | 'UNRECOGNIZED';

/** The position mode of futures. It cannot change while there are positions or orders */
export type SetHoldModeInput = {
  /** Name of the account in this gateway. Required if the client sees more than one; with one it is that one */
  account?: string | null | undefined;
  /** Required on a Classic account, which has a mode per category; a unified account has one for all */
  category?: FuturesCategoryInput | null | undefined;
  /** Validate the input and return the request without sending it. Default: false. It checks the rules of the endpoint and of the symbol, the account's mode, halts, the gateway's limits and, for a new order, the balance. Rules that only the exchange knows are not checked */
  dryRun?: boolean | null | undefined;
  /** Position mode (Classic: `posMode`) */
  holdMode: HoldModeInput;
  /** Idempotency key, 1 to 128 characters. Repeated and simultaneous calls with the same key and input return the outcome of the first one and send nothing. Default: the `clientOid` of a new order or a withdrawal, the `newClientOid` of a change, the `traceId` of a conversion, and otherwise none, so that every call is a new write */
  idempotencyKey?: string | null | undefined;
};

/** The leverage of a futures symbol, or of a coin that is borrowed */
export type SetLeverageInput = {
  /** Name of the account in this gateway. Required if the client sees more than one; with one it is that one */
  account?: string | null | undefined;
  /** Where leverage is to be set */
  category: LeverageCategory;
  /** Coin, for example `USDT`. Required for MARGIN */
  coin?: string | null | undefined;
  /** Validate the input and return the request without sending it. Default: false. It checks the rules of the endpoint and of the symbol, the account's mode, halts, the gateway's limits and, for a new order, the balance. Rules that only the exchange knows are not checked */
  dryRun?: boolean | null | undefined;
  /** Idempotency key, 1 to 128 characters. Repeated and simultaneous calls with the same key and input return the outcome of the first one and send nothing. Default: the `clientOid` of a new order or a withdrawal, the `newClientOid` of a change, the `traceId` of a conversion, and otherwise none, so that every call is a new write */
  idempotencyKey?: string | null | undefined;
  /** Leverage, for example `20` */
  leverage: string;
  /** With isolated margin: which of the two positions */
  posSide?: PositionSideInput | null | undefined;
  /** Symbol name, for example `BTCUSDT`; letter case does not matter. Required for futures */
  symbol?: string | null | undefined;
};

/** The margin mode of a futures symbol. It cannot change while there are positions or orders in it. Classic accounts only */
export type SetMarginModeInput = {
  /** Name of the account in this gateway. Required if the client sees more than one; with one it is that one */
  account?: string | null | undefined;
  /** Futures category of the symbol (`productType`) */
  category: FuturesCategoryInput;
  /** Validate the input and return the request without sending it. Default: false. It checks the rules of the endpoint and of the symbol, the account's mode, halts, the gateway's limits and, for a new order, the balance. Rules that only the exchange knows are not checked */
  dryRun?: boolean | null | undefined;
  /** Idempotency key, 1 to 128 characters. Repeated and simultaneous calls with the same key and input return the outcome of the first one and send nothing. Default: the `clientOid` of a new order or a withdrawal, the `newClientOid` of a change, the `traceId` of a conversion, and otherwise none, so that every call is a new write */
  idempotencyKey?: string | null | undefined;
  /** Margin mode */
  marginMode: MarginModeInput;
  /** Symbol name, for example `BTCUSDT`; letter case does not matter */
  symbol: string;
};

/** Which shark-fin holdings to list */
export type SharkFinHoldingStatus =
  /** Products that were settled */
  | 'SETTLED'
  /** Products that the account holds now */
  | 'SUBSCRIBED';

/** State of a shark-fin product that is on offer */
export type SharkFinOfferStatus =
  /** Not yet open for subscription */
  | 'NOT_STARTED'
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

/** What a shark-fin record is about */
export type SharkFinRecordType =
  /** Interest was paid out */
  | 'INTEREST'
  /** Coins were paid back */
  | 'REDEMPTION'
  /** Coins were paid in */
  | 'SUBSCRIPTION'
  /** A value that this version does not recognize; the `Raw` field beside it has the exchange's text */
  | 'UNRECOGNIZED';

/** What a shark-fin record is about. For arguments and inputs: `SharkFinRecordType` without `UNRECOGNIZED` */
export type SharkFinRecordTypeInput =
  /** Interest was paid out */
  | 'INTEREST'
  /** Coins were paid back */
  | 'REDEMPTION'
  /** Coins were paid in */
  | 'SUBSCRIPTION';

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

/** State of a connection to the exchange's streams */
export type SocketState =
  /** It has ended */
  | 'CLOSED'
  /** It is being opened */
  | 'CONNECTING'
  /** It is open, and its login is not yet answered */
  | 'LOGGING_IN'
  /** It carries channels */
  | 'READY';

/** Kind of a Classic spot order (`tpslType`) */
export type SpotOrderKind =
  /** It goes to the book at once */
  | 'NORMAL'
  /** It waits for its trigger price first */
  | 'TPSL'
  /** A value that this version does not recognize; the `Raw` field beside it has the exchange's text */
  | 'UNRECOGNIZED';

/** Self-trade prevention: what happens when an order would trade with an order of the same user. For arguments and inputs: `StpMode` without `UNRECOGNIZED` */
export type StpModeInput =
  /** Both orders are cancelled */
  | 'CANCEL_BOTH'
  /** The resting order is cancelled */
  | 'CANCEL_MAKER'
  /** The newer order is cancelled */
  | 'CANCEL_TAKER'
  /** They trade with each other */
  | 'NONE';

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

/** How long an order stays open (`timeInForce`; Classic: `force`) */
export type TimeInForce =
  /** Fill or kill: filled whole at once, or cancelled */
  | 'FOK'
  /** Good till cancelled: it stays in the book */
  | 'GTC'
  /** Immediate or cancel: what does not fill at once is cancelled */
  | 'IOC'
  /** Post only: cancelled if it would trade at once */
  | 'POST_ONLY'
  /** A value that this version does not recognize; the `Raw` field beside it has the exchange's text */
  | 'UNRECOGNIZED';

/** How long an order stays open (`timeInForce`; Classic: `force`). For arguments and inputs: `TimeInForce` without `UNRECOGNIZED` */
export type TimeInForceInput =
  /** Fill or kill: filled whole at once, or cancelled */
  | 'FOK'
  /** Good till cancelled: it stays in the book */
  | 'GTC'
  /** Immediate or cancel: what does not fill at once is cancelled */
  | 'IOC'
  /** Post only: cancelled if it would trade at once */
  | 'POST_ONLY';

/** How a trigger order closes a position (`planType`) */
export type TpslPlanType =
  /** Stop-loss of a part of the position */
  | 'LOSS_PLAN'
  /** Trailing stop of a part of the position; Classic only */
  | 'MOVING_PLAN'
  /** Stop-loss of the whole position */
  | 'POS_LOSS'
  /** Take-profit of the whole position */
  | 'POS_PROFIT'
  /** Take-profit of a part of the position */
  | 'PROFIT_PLAN';

/** A take-profit, a stop-loss or both of a position. At least one is required; a Classic account takes one at a time */
export type TpslTermsInput = {
  /** The stop-loss */
  stopLoss?: ExitInput | null | undefined;
  /** The take-profit */
  takeProfit?: ExitInput | null | undefined;
};

/** Whether an order was the taker or the maker of a trade */
export type TradeScope =
  /** It rested in the book */
  | 'MAKER'
  /** It traded with an order that rested in the book */
  | 'TAKER'
  /** A value that this version does not recognize; the `Raw` field beside it has the exchange's text */
  | 'UNRECOGNIZED';

/** What a trade did to a position (`tradeSide`). Hedge mode opens and closes, one-way mode says single; the rest was forced */
export type TradeSide =
  /** The exchange liquidated a short by buying, in one-way mode */
  | 'BURST_BUY_SINGLE'
  /** The exchange liquidated a long, in hedge mode */
  | 'BURST_CLOSE_LONG'
  /** The exchange liquidated a short, in hedge mode */
  | 'BURST_CLOSE_SHORT'
  /** The exchange liquidated a long by selling, in one-way mode */
  | 'BURST_SELL_SINGLE'
  /** Bought in one-way mode */
  | 'BUY_SINGLE'
  /** Closed a position, in hedge mode */
  | 'CLOSE'
  /** Closed a long */
  | 'CLOSE_LONG'
  /** Closed a short */
  | 'CLOSE_SHORT'
  /** A short ended with the delivery, in one-way mode */
  | 'DELIVERY_BUY_SINGLE'
  /** A long ended with the delivery, in hedge mode */
  | 'DELIVERY_CLOSE_LONG'
  /** A short ended with the delivery, in hedge mode */
  | 'DELIVERY_CLOSE_SHORT'
  /** A long ended with the delivery, in one-way mode */
  | 'DELIVERY_SELL_SINGLE'
  /** Auto-deleveraging closed a short by buying, in one-way mode */
  | 'DTE_SYS_ADL_BUY_IN_SINGLE_SIDE_MODE'
  /** Auto-deleveraging closed a long, in hedge mode */
  | 'DTE_SYS_ADL_CLOSE_LONG'
  /** Auto-deleveraging closed a short, in hedge mode */
  | 'DTE_SYS_ADL_CLOSE_SHORT'
  /** Auto-deleveraging closed a long by selling, in one-way mode */
  | 'DTE_SYS_ADL_SELL_IN_SINGLE_SIDE_MODE'
  /** A long was set off against a short */
  | 'OFFSET_CLOSE_LONG'
  /** A short was set off against a long */
  | 'OFFSET_CLOSE_SHORT'
  /** Opened a position, in hedge mode */
  | 'OPEN'
  /** Opened a long */
  | 'OPEN_LONG'
  /** Opened a short */
  | 'OPEN_SHORT'
  /** The exchange reduced a short by buying, in one-way mode */
  | 'REDUCE_BUY_SINGLE'
  /** The exchange reduced a long, in hedge mode */
  | 'REDUCE_CLOSE_LONG'
  /** The exchange reduced a short, in hedge mode */
  | 'REDUCE_CLOSE_SHORT'
  /** The exchange reduced a long by selling, in one-way mode */
  | 'REDUCE_SELL_SINGLE'
  /** Sold in one-way mode */
  | 'SELL_SINGLE'
  /** A value that this version does not recognize; the `Raw` field beside it has the exchange's text */
  | 'UNRECOGNIZED';

/** Distance of a trailing stop from the best price */
export type TrailingDistanceInput =
  {   /** As a fraction of the best price: 0.001 to 0.1, on SPOT and MARGIN up to 0.2 */
  rate: string; spread?: never; }
  |  { rate?: never;   /** In quote coin. Unified accounts only */
  spread: string; };

/** An order that follows the best price, and is placed when the price comes back by a distance */
export type TrailingStopTermsInput = {
  /** Price that the activation price is compared with. Default: MARKET */
  activationBy?: ActivationPriceInput | null | undefined;
  /** Price at which it begins to follow, in quote coin. Required on Classic accounts. Default: it follows at once */
  activationPrice?: string | null | undefined;
  /** Distance from the best price */
  distance: TrailingDistanceInput;
  /** Limit price of its order, in quote coin. Unified accounts only. Default: at market */
  limitPrice?: string | null | undefined;
};

/** A trailing order of a Classic account */
export type TrailingTermsInput = {
  /** Price that the activation price is compared with. Default: MARKET */
  activationBy?: TriggerByInput | null | undefined;
  /** Price at which it begins to follow, in quote coin */
  activationPrice: string;
  /** Distance from the best price, as a fraction: above 0, at most 0.1 */
  callbackRate: string;
};

/** The price that a trigger price is compared with */
export type TriggerBy =
  /** The mark price (Classic: `mark_price`) */
  | 'MARK'
  /** The last trade (Classic: `fill_price`) */
  | 'MARKET'
  /** A value that this version does not recognize; the `Raw` field beside it has the exchange's text */
  | 'UNRECOGNIZED';

/** The price that a trigger price is compared with. For arguments and inputs: `TriggerBy` without `UNRECOGNIZED` */
export type TriggerByInput =
  /** The mark price (Classic: `mark_price`) */
  | 'MARK'
  /** The last trade (Classic: `fill_price`) */
  | 'MARKET';

/** An order that is placed when a price is reached */
export type TriggerTermsInput = {
  /** Limit price of the order, in quote coin. Default: at market */
  limitPrice?: string | null | undefined;
  /** Price that the trigger price is compared with. Default: MARKET */
  triggerBy?: TriggerByInput | null | undefined;
  /** Trigger price, in quote coin */
  triggerPrice: string;
};

/** Time between two parts of a TWAP order (`interval`) */
export type TwapInterval =
  /** 5 seconds */
  | 'SECONDS_5'
  /** 10 seconds */
  | 'SECONDS_10'
  /** 20 seconds */
  | 'SECONDS_20'
  /** 30 seconds */
  | 'SECONDS_30'
  /** A minute */
  | 'SECONDS_60';

/** Distance of the limit orders of a TWAP order from the market */
export type TwapOffsetInput =
  {   /** As the exchange counts it: 0.001 to 0.1 */
  percentage: string; spread?: never; }
  |  { percentage?: never;   /** In quote coin */
  spread: string; };

/** An order that is placed in equal parts at intervals */
export type TwapTermsInput = {
  /** Duration in minutes, 1 to 1440 */
  durationMinutes: number;
  /** Time between two parts */
  intervalSeconds: TwapInterval;
  /** Place limit orders at this distance from the market. Default: market orders */
  limitOffset?: TwapOffsetInput | null | undefined;
  /** It ends at this price, in quote coin. Default: none */
  terminationPrice?: string | null | undefined;
  /** It begins at this price, in quote coin. Default: at once */
  triggerPrice?: string | null | undefined;
};

/** Why a part of a day was not compared */
export type UncheckedReason =
  /** The account changed from Classic to unified, or back */
  | 'MODE_CHANGED'
  /** There is no sample of the account on that day; the next day with one is compared from the last one on */
  | 'NOT_RECORDED'
  /** The journal has no order of the account: it is traded elsewhere */
  | 'NO_WRITES'
  /** There are more rows than one day is compared by */
  | 'TOO_MANY'
  /** The exchange did not keep the lists of that day any more */
  | 'TOO_OLD'
  /** A list could not be read for a day */
  | 'UNREADABLE';

/** Why a figure of a performance is not known */
export type UnknownFigureReason =
  /** The changes of balances of a part of the range are not known, so flows cannot be told from profit */
  | 'CHANGES_NOT_KNOWN'
  /** Equity belongs to an account as a whole, and not to a category or a symbol */
  | 'NOT_BY_PRODUCT'
  /** No position was closed or reduced */
  | 'NO_CLOSED_TRADES'
  /** The account was worth nothing, or less, at the start of an interval */
  | 'NO_EQUITY'
  /** There was no loss to divide by */
  | 'NO_LOSS'
  /** All daily returns are equal */
  | 'NO_SPREAD'
  /** The range has less than five days */
  | 'TOO_FEW_DAYS'
  /** There are less than two samples in the range */
  | 'TOO_FEW_POINTS';

/** Why queries for a list of an account call the exchange */
export type UnprovenReason =
  /** It, or a list that its figures depend on, has changed in a way that is not pushed, and is about to be read */
  | 'BEING_READ'
  /** A stream that the list depends on is interrupted, or has just been opened */
  | 'INTERRUPTED'
  /** A price or a rule that its figures depend on is not known, for example of a coin without a market in USDT */
  | 'NOT_COMPUTABLE'
  /** The formulas have not reproduced the exchange's figures yet */
  | 'NOT_REPRODUCED';

/** A withdrawal from a broker's sub-account. For the main account of an ND broker */
export type WithdrawFromSubAccountInput = {
  /** Name of the account in this gateway. Required if the client sees more than one; with one it is that one */
  account?: string | null | undefined;
  /** Address on the chain, or the receiver's user identifier */
  address: string;
  /** Amount, in the coin, with the fee in it: at least the chain's `minWithdrawAmount`, in its steps */
  amount: string;
  /** Chain, as `coins` lists it, for example `TRC20`. Default: the coin's main chain */
  chain?: string | null | undefined;
  /** The client's own identifier, which is also the idempotency key: at most 64 characters. Default: one that the gateway makes */
  clientOid?: string | null | undefined;
  /** Coin to withdraw: any that `coins` lists with a chain, or for another user any that it lists */
  coin: string;
  /** Destination: an address on a chain, or another user */
  dest: WithdrawalDestinationInput;
  /** Validate the input and return the request without sending it. Default: false. It checks the rules of the endpoint and of the symbol, the account's mode, halts, the gateway's limits and, for a new order, the balance. Rules that only the exchange knows are not checked */
  dryRun?: boolean | null | undefined;
  /** Idempotency key, 1 to 128 characters. Repeated and simultaneous calls with the same key and input return the outcome of the first one and send nothing. Default: the `clientOid` of a new order or a withdrawal, the `newClientOid` of a change, the `traceId` of a conversion, and otherwise none, so that every call is a new write */
  idempotencyKey?: string | null | undefined;
  /** User identifier of the sub-account */
  subUid: string;
  /** Memo or comment that goes with the address: required on a chain whose `isTagRequired` is true */
  tag?: string | null | undefined;
};

/** Destination of a withdrawal (`dest`) */
export type WithdrawalDestination =
  /** To another user of the exchange */
  | 'INTERNAL_TRANSFER'
  /** To an address on a chain */
  | 'ON_CHAIN'
  /** A value that this version does not recognize; the `Raw` field beside it has the exchange's text */
  | 'UNRECOGNIZED';

/** Destination of a withdrawal (`dest`). For arguments and inputs: `WithdrawalDestination` without `UNRECOGNIZED` */
export type WithdrawalDestinationInput =
  /** To another user of the exchange */
  | 'INTERNAL_TRANSFER'
  /** To an address on a chain */
  | 'ON_CHAIN';

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

export type EstimatedFragment = { cost: string, costCoin: string, fee: string | null, feeRate: string | null, margin: string | null, required: string | null, requiredCoin: string, available: string | null, isAffordable: boolean | null, leverage: string | null, maxQty: string | null, maxQuoteQty: string | null };

export type PlaceOrderMutationVariables = Exact<{
  input: PlaceOrderInput;
}>;


export type PlaceOrderMutation = { placeOrder: { orderId: string | null, outcome: WriteOutcome | null, estimate: { cost: string, costCoin: string, fee: string | null, feeRate: string | null, margin: string | null, required: string | null, requiredCoin: string, available: string | null, isAffordable: boolean | null, leverage: string | null, maxQty: string | null, maxQuoteQty: string | null } | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null, isRetryable: boolean }> } };

export type PlaceTpslMutationVariables = Exact<{
  input: PlaceTpslOrderInput;
}>;


export type PlaceTpslMutation = { placeTpslOrder: { orderId: string | null, outcome: WriteOutcome | null, estimate: { cost: string, costCoin: string, fee: string | null, feeRate: string | null, margin: string | null, required: string | null, requiredCoin: string, available: string | null, isAffordable: boolean | null, leverage: string | null, maxQty: string | null, maxQuoteQty: string | null } | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null, isRetryable: boolean }> } };

export type PlacePlanMutationVariables = Exact<{
  input: PlacePlanOrderInput;
}>;


export type PlacePlanMutation = { placePlanOrder: { orderId: string | null, outcome: WriteOutcome | null, estimate: { cost: string, costCoin: string, fee: string | null, feeRate: string | null, margin: string | null, required: string | null, requiredCoin: string, available: string | null, isAffordable: boolean | null, leverage: string | null, maxQty: string | null, maxQuoteQty: string | null } | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null, isRetryable: boolean }> } };

export type PlaceManyMutationVariables = Exact<{
  input: PlaceOrdersInput;
}>;


export type PlaceManyMutation = { placeOrders: { outcome: WriteOutcome | null, orders: Array<{ outcome: WriteOutcome | null }>, estimate: { funds: Array<{ cost: string, costCoin: string, fee: string | null, margin: string | null, required: string | null, requiredCoin: string, available: string | null }> } | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null, isRetryable: boolean }> } };

export type ModifyOrderMutationVariables = Exact<{
  input: ModifyOrderInput;
}>;


export type ModifyOrderMutation = { modifyOrder: { outcome: WriteOutcome | null, estimate: { cost: string, costCoin: string, fee: string | null, feeRate: string | null, margin: string | null, required: string | null, requiredCoin: string, available: string | null, isAffordable: boolean | null, leverage: string | null, maxQty: string | null, maxQuoteQty: string | null } | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null, isRetryable: boolean }> } };

export type ModifyPlanMutationVariables = Exact<{
  input: ModifyPlanOrderInput;
}>;


export type ModifyPlanMutation = { modifyPlanOrder: { outcome: WriteOutcome | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null, isRetryable: boolean }> } };

export type CancelOrderMutationVariables = Exact<{
  input: CancelOrderInput;
}>;


export type CancelOrderMutation = { cancelOrder: { outcome: WriteOutcome | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null, isRetryable: boolean }> } };

export type AdjustMarginMutationVariables = Exact<{
  input: AdjustPositionMarginInput;
}>;


export type AdjustMarginMutation = { adjustPositionMargin: { outcome: WriteOutcome | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null, isRetryable: boolean }> } };

export type SetLeverageMutationVariables = Exact<{
  input: SetLeverageInput;
}>;


export type SetLeverageMutation = { setLeverage: { outcome: WriteOutcome | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null, isRetryable: boolean }> } };

export type SetMarginModeMutationVariables = Exact<{
  input: SetMarginModeInput;
}>;


export type SetMarginModeMutation = { setMarginMode: { outcome: WriteOutcome | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null, isRetryable: boolean }> } };

export type SetHoldModeMutationVariables = Exact<{
  input: SetHoldModeInput;
}>;


export type SetHoldModeMutation = { setHoldMode: { outcome: WriteOutcome | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null, isRetryable: boolean }> } };

type Written_AdjustPositionMarginPayload_Fragment = { outcome: WriteOutcome | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null, isRetryable: boolean }> };

type Written_ArmDeadMansSwitchPayload_Fragment = { outcome: WriteOutcome | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null, isRetryable: boolean }> };

type Written_CancelAllOrdersPayload_Fragment = { outcome: WriteOutcome | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null, isRetryable: boolean }> };

type Written_CancelOrderPayload_Fragment = { outcome: WriteOutcome | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null, isRetryable: boolean }> };

type Written_CancelOrdersPayload_Fragment = { outcome: WriteOutcome | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null, isRetryable: boolean }> };

type Written_ClosePositionsPayload_Fragment = { outcome: WriteOutcome | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null, isRetryable: boolean }> };

type Written_ConvertPayload_Fragment = { outcome: WriteOutcome | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null, isRetryable: boolean }> };

type Written_DisarmDeadMansSwitchPayload_Fragment = { outcome: WriteOutcome | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null, isRetryable: boolean }> };

type Written_HaltTradingPayload_Fragment = { outcome: WriteOutcome | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null, isRetryable: boolean }> };

type Written_ModifyOrderPayload_Fragment = { outcome: WriteOutcome | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null, isRetryable: boolean }> };

type Written_ModifyPlanOrderPayload_Fragment = { outcome: WriteOutcome | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null, isRetryable: boolean }> };

type Written_ModifySubAccountEmailPayload_Fragment = { outcome: WriteOutcome | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null, isRetryable: boolean }> };

type Written_PlaceOrderPayload_Fragment = { outcome: WriteOutcome | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null, isRetryable: boolean }> };

type Written_PlaceOrdersPayload_Fragment = { outcome: WriteOutcome | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null, isRetryable: boolean }> };

type Written_PlacePlanOrderPayload_Fragment = { outcome: WriteOutcome | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null, isRetryable: boolean }> };

type Written_PlaceTpslOrderPayload_Fragment = { outcome: WriteOutcome | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null, isRetryable: boolean }> };

type Written_RedeemSavingsPayload_Fragment = { outcome: WriteOutcome | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null, isRetryable: boolean }> };

type Written_ResumeTradingPayload_Fragment = { outcome: WriteOutcome | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null, isRetryable: boolean }> };

type Written_SetHoldModePayload_Fragment = { outcome: WriteOutcome | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null, isRetryable: boolean }> };

type Written_SetLeveragePayload_Fragment = { outcome: WriteOutcome | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null, isRetryable: boolean }> };

type Written_SetMarginModePayload_Fragment = { outcome: WriteOutcome | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null, isRetryable: boolean }> };

type Written_UpgradeAccountPayload_Fragment = { outcome: WriteOutcome | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null, isRetryable: boolean }> };

type Written_WithdrawFromSubAccountPayload_Fragment = { outcome: WriteOutcome | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null, isRetryable: boolean }> };

export type WrittenFragment =
  | Written_AdjustPositionMarginPayload_Fragment
  | Written_ArmDeadMansSwitchPayload_Fragment
  | Written_CancelAllOrdersPayload_Fragment
  | Written_CancelOrderPayload_Fragment
  | Written_CancelOrdersPayload_Fragment
  | Written_ClosePositionsPayload_Fragment
  | Written_ConvertPayload_Fragment
  | Written_DisarmDeadMansSwitchPayload_Fragment
  | Written_HaltTradingPayload_Fragment
  | Written_ModifyOrderPayload_Fragment
  | Written_ModifyPlanOrderPayload_Fragment
  | Written_ModifySubAccountEmailPayload_Fragment
  | Written_PlaceOrderPayload_Fragment
  | Written_PlaceOrdersPayload_Fragment
  | Written_PlacePlanOrderPayload_Fragment
  | Written_PlaceTpslOrderPayload_Fragment
  | Written_RedeemSavingsPayload_Fragment
  | Written_ResumeTradingPayload_Fragment
  | Written_SetHoldModePayload_Fragment
  | Written_SetLeveragePayload_Fragment
  | Written_SetMarginModePayload_Fragment
  | Written_UpgradeAccountPayload_Fragment
  | Written_WithdrawFromSubAccountPayload_Fragment
;

export type ViewerQueryVariables = Exact<{ [key: string]: never; }>;


export type ViewerQuery = { viewer: { name: string | null, isAnonymous: boolean, expireTime: string | null, scopes: Array<{ scope: string, accounts: Array<string> | null }>, environment: { name: string, kind: ExchangeKind } } };

export type ListAccountsQueryVariables = Exact<{ [key: string]: never; }>;


export type ListAccountsQuery = { accounts: Array<{ name: string, mode: AccountMode | null }> };

export type EquityQueryVariables = Exact<{
  account?: string | null | undefined;
}>;


export type EquityQuery = { account: { totalEquity: string | null } | null };

export type WatchForcedSubscriptionVariables = Exact<{
  account?: string | null | undefined;
}>;


export type WatchForcedSubscription = { orders: { orders: Array<{ id: string, symbol: string, side: OrderSide | null, status: OrderStatus | null, execType: ExecType | null, tradeSide: TradeSide | null, cumExecQty: string | null, avgPrice: string | null, realisedPnl: string | null }> | null } };

export type HaltsOfQueryVariables = Exact<{ [key: string]: never; }>;


export type HaltsOfQuery = { accounts: Array<{ name: string, halt: { account: string | null, startTime: string, reason: string | null } | null }> };

export type WatchExecutionsSubscriptionVariables = Exact<{
  account?: string | null | undefined;
}>;


export type WatchExecutionsSubscription = { fills: { fills: Array<{ id: string, symbol: string, side: OrderSide | null, qty: string | null, price: string | null }> | null } };

export type WatchOrdersSubscriptionVariables = Exact<{
  account?: string | null | undefined;
}>;


export type WatchOrdersSubscription = { orders: { orders: Array<{ id: string, orderId: string, clientOid: string | null, category: ProductCategory, symbol: string, side: OrderSide | null, posSide: PositionSide | null, tradeSide: TradeSide | null, orderType: OrderType | null, status: OrderStatus | null, timeInForce: TimeInForce | null, price: string | null, qty: string | null, quoteQty: string | null, cumExecQty: string | null, cumExecValue: string | null, avgPrice: string | null, isReduceOnly: boolean | null, tpslType: SpotOrderKind | null, triggerPrice: string | null, createdTime: string | null, takeProfit: { triggerPrice: string } | null, stopLoss: { triggerPrice: string } | null, instrument: { baseCoin: string | null, quoteCoin: string | null, precision: { price: number | null, quantity: number | null } | null } | null }> | null } };

export type WatchPlanOrdersSubscriptionVariables = Exact<{
  account?: string | null | undefined;
}>;


export type WatchPlanOrdersSubscription = { planOrders: { planOrders: Array<{ id: string, orderId: string, clientOid: string | null, category: ProductCategory, symbol: string, side: OrderSide | null, posSide: PositionSide | null, tradeSide: TradeSide | null, planType: PlanType | null, status: PlanStatus | null, triggerPrice: string | null, triggerBy: TriggerBy | null, executePrice: string | null, callbackRate: string | null, qty: string | null, createdTime: string | null, terms:
        | { parts: number | null, partQty: string | null }
        | { limitPrice: string | null, triggerPrice: string | null }
        | { activationPrice: string | null, callbackRate: string | null, callbackSpread: string | null }
        | { durationMinutes: number | null, intervalSeconds: number | null }
        | Record<PropertyKey, never>
       | null, takeProfit: { triggerPrice: string } | null, stopLoss: { triggerPrice: string } | null, instrument: { precision: { price: number | null, quantity: number | null } | null } | null }> | null } };

export type WatchPositionsSubscriptionVariables = Exact<{
  account?: string | null | undefined;
  everyMs: number;
}>;


export type WatchPositionsSubscription = { positions: { positions: Array<{ id: string, category: FuturesCategory, symbol: string, posSide: PositionSide, holdMode: HoldMode | null, marginMode: MarginMode | null, marginCoin: string, leverage: string | null, qty: string | null, availableQty: string | null, avgPrice: string | null, breakEvenPrice: string | null, markPrice: string | null, liquidationPrice: string | null, unrealisedPnl: string | null, realisedPnl: string | null, profitRate: string | null, margin: string | null, marginRatio: string | null, notional: string | null, takeProfit: { triggerPrice: string } | null, stopLoss: { triggerPrice: string } | null, instrument: { baseCoin: string | null, quoteCoin: string | null, precision: { price: number | null, quantity: number | null } | null, orderSize: { min: string | null, step: string | null } } | null }> | null } };

export type WritesQueryVariables = Exact<{
  account?: string | null | undefined;
  after?: string | null | undefined;
}>;


export type WritesQuery = { account: { journal: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, seq: string, mutation: string, endpoint: string, status: WriteState, sentTime: string, settledTime: string | null, idempotencyKey: string, clientOid: string | null, parameters: unknown, problem: { code: string, message: string, exchangeCode: string | null } | null } | null> } } | null };

export type AllAccountsQueryVariables = Exact<{ [key: string]: never; }>;


export type AllAccountsQuery = { accounts: Array<{ id: string, name: string, mode: AccountMode | null, totalEquity: string | null, positions: Array<{ category: FuturesCategory, symbol: string, unrealisedPnl: string | null, markPrice: string | null, notional: string | null } | null> | null, openOrders: { pageInfo: { hasNextPage: boolean }, nodes: Array<{ id: string } | null> } | null }> };

export type BalancesQueryVariables = Exact<{
  account?: string | null | undefined;
}>;


export type BalancesQuery = { account: { balances: Array<{ id: string, coin: string, balance: string | null, available: string | null, frozen: string | null, locked: string | null, debt: string | null, valueUsdt: string | null } | null> | null } | null };

export type BrokerOfQueryVariables = Exact<{
  account?: string | null | undefined;
  after?: string | null | undefined;
}>;


export type BrokerOfQuery = { account: { broker: { info: { subAccountCount: number | null, maxSubAccountCount: number | null } | null, subAccounts: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, subUid: string, profile: { name: string | null, label: string | null, status: SubAccountStatus | null, permissions: Array<string> | null, createdTime: string | null } | null } | null> } | null } } | null };

export type BrokerWithdrawalsQueryVariables = Exact<{
  account?: string | null | undefined;
  after?: string | null | undefined;
}>;


export type BrokerWithdrawalsQuery = { account: { broker: { withdrawals: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ orderId: string, subUid: string | null, coin: string | null, chain: string | null, amount: string | null, fee: string | null, dest: WithdrawalDestination | null, status: WithdrawalStatus | null, toAddress: string | null, txId: string | null, createdTime: string | null } | null> } | null } } | null };

export type SubAccountOfQueryVariables = Exact<{
  account?: string | null | undefined;
  subUid: string;
}>;


export type SubAccountOfQuery = { account: { broker: { subAccount: { id: string, subUid: string, contact: { email: string | null, name: string | null } | null, spotAssets: Array<{ coin: string, available: string | null, frozen: string | null, locked: string | null, valueUsdt: string | null } | null> | null, futuresAssets: Array<{ marginCoin: string, equity: string | null, available: string | null, unrealisedPnl: string | null } | null> | null } | null } } | null };

export type ModifyEmailMutationVariables = Exact<{
  input: ModifySubAccountEmailInput;
}>;


export type ModifyEmailMutation = { modifySubAccountEmail: { outcome: WriteOutcome | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null, isRetryable: boolean }> } };

export type WithdrawMutationVariables = Exact<{
  input: WithdrawFromSubAccountInput;
}>;


export type WithdrawMutation = { withdrawFromSubAccount: { orderId: string | null, outcome: WriteOutcome | null, request: { path: string, body: unknown } | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null, isRetryable: boolean }> } };

export type WatchCandlesSubscriptionVariables = Exact<{
  category: ProductCategoryInput;
  symbol: string;
  interval: CandleInterval;
}>;


export type WatchCandlesSubscription = { candles: { candles: Array<{ startTime: string, open: string | null, high: string | null, low: string | null, close: string | null, volume: string | null }> } };

export type PastCandlesQueryVariables = Exact<{
  category: ProductCategoryInput;
  symbol: string;
  interval: CandleInterval;
  to: string;
}>;


export type PastCandlesQuery = { candles: Array<{ startTime: string, open: string | null, high: string | null, low: string | null, close: string | null, volume: string | null } | null> | null };

export type FillsOfQueryVariables = Exact<{
  account?: string | null | undefined;
  category: ProductCategoryInput;
}>;


export type FillsOfQuery = { account: { fills: { nodes: Array<{ id: string, symbol: string, side: OrderSide | null, qty: string | null, createdTime: string | null } | null> } | null } | null };

export type ConversionsQueryVariables = Exact<{
  account?: string | null | undefined;
  after?: string | null | undefined;
}>;


export type ConversionsQuery = { account: { convertRecords: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ recordId: string, createdTime: string | null, fromCoin: string | null, fromAmount: string | null, toCoin: string | null, toAmount: string | null, price: string | null, fee: string | null } | null> } | null } | null };

export type CurrenciesQueryVariables = Exact<{
  account?: string | null | undefined;
}>;


export type CurrenciesQuery = { account: { convertCurrencies: Array<{ coin: string, available: string | null, minAmount: string | null, maxAmount: string | null } | null> | null } | null };

export type QuoteQueryVariables = Exact<{
  account?: string | null | undefined;
  fromCoin: string;
  toCoin: string;
  fromAmount: string;
}>;


export type QuoteQuery = { account: { convertQuote: { traceId: string, fromCoin: string, fromAmount: string, toCoin: string, toAmount: string, price: string, fee: string | null, expireTime: string } | null } | null };

export type ConvertItMutationVariables = Exact<{
  input: ConvertInput;
}>;


export type ConvertItMutation = { convert: { toAmount: string | null, toCoin: string | null, outcome: WriteOutcome | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null, isRetryable: boolean }> } };

export type ClosedLoansQueryVariables = Exact<{
  account?: string | null | undefined;
  after?: string | null | undefined;
}>;


export type ClosedLoansQuery = { account: { loans: { history: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ orderId: string, loanCoin: string | null, loanAmount: string | null, pledgeCoin: string | null, pledgeAmount: string | null, hourlyRate: string | null, term: string | null, status: LoanStatus | null, borrowTime: string | null } | null> } | null } } | null };

export type RepaymentsQueryVariables = Exact<{
  account?: string | null | undefined;
  after?: string | null | undefined;
}>;


export type RepaymentsQuery = { account: { loans: { repayments: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ orderId: string, loanCoin: string | null, amount: string | null, principalAmount: string | null, interestAmount: string | null, pledgeCoin: string | null, unlockedAmount: string | null, repayTime: string | null } | null> } | null } } | null };

export type ReductionsQueryVariables = Exact<{
  account?: string | null | undefined;
  after?: string | null | undefined;
}>;


export type ReductionsQuery = { account: { loans: { reductions: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ orderId: string, loanCoin: string | null, principalAmount: string | null, pledgeCoin: string | null, pledgeAmount: string | null, pledgePrice: string | null, leftAmount: string | null, fee: string | null, ltv: string | null, status: LoanReductionStatus | null, reduceTime: string | null } | null> } | null } } | null };

export type WatchLoansSubscriptionVariables = Exact<{
  account?: string | null | undefined;
}>;


export type WatchLoansSubscription = { loans: { loans: Array<{ id: string, orderId: string, loanCoin: string | null, pledgeCoin: string | null, loanAmount: string | null, interestAmount: string | null, pledgeAmount: string | null, hourlyRate: string | null, currentLtv: string | null, ltv: string | null, marginCallLtv: string | null, liquidationLtv: string | null, distanceToLiquidation: string | null, borrowTime: string | null, expireTime: string | null }> | null } };

export type DebtsQueryVariables = Exact<{
  account?: string | null | undefined;
}>;


export type DebtsQuery = { account: { loans: { debts: { loans: Array<{ coin: string, amount: string | null, amountUsdt: string | null } | null>, pledges: Array<{ coin: string, amount: string | null, amountUsdt: string | null } | null> } | null } } | null };

export type SavingsOfQueryVariables = Exact<{
  account?: string | null | undefined;
  periodType: SavingsPeriodTypeInput;
  after?: string | null | undefined;
}>;


export type SavingsOfQuery = { account: { earn: { savings: { totals: { amountUsdt: string | null, earned24hUsdt: string | null, earnedUsdt: string | null } | null, assets: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ productId: string, orderId: string | null, productCoin: string | null, amount: string | null, periodType: SavingsPeriodType | null, periodDays: number | null, holdDays: number | null, status: SavingsHoldingStatus | null, canRedeemEarly: boolean | null, lastProfit: string | null, totalProfit: string | null, interestCoin: string | null, apyTiers: Array<{ apy: string | null } | null> } | null> } | null } } } | null };

export type RedeemSavingsMutationVariables = Exact<{
  input: RedeemSavingsInput;
}>;


export type RedeemSavingsMutation = { redeemSavings: { outcome: WriteOutcome | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null, isRetryable: boolean }> } };

export type SavingsProductsQueryVariables = Exact<{
  account?: string | null | undefined;
}>;


export type SavingsProductsQuery = { account: { earn: { savings: { products: Array<{ productId: string, coin: string | null, periodType: SavingsPeriodType | null, periodDays: number | null, canRedeemEarly: boolean | null, settleMethod: SavingsSettleMethod | null, status: SavingsProductStatus | null, apyTiers: Array<{ tier: number, apy: string | null, minAmount: string | null, maxAmount: string | null } | null> } | null> | null } } } | null };

export type SavingsRecordsQueryVariables = Exact<{
  account?: string | null | undefined;
  periodType: SavingsPeriodTypeInput;
  orderType?: SavingsRecordTypeInput | null | undefined;
  after?: string | null | undefined;
}>;


export type SavingsRecordsQuery = { account: { earn: { savings: { records: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ orderId: string, productCoin: string | null, interestCoin: string | null, orderType: SavingsRecordType | null, periodType: SavingsPeriodType | null, periodDays: number | null, amount: string | null, createdTime: string | null } | null> } | null } } } | null };

export type SharkFinOfQueryVariables = Exact<{
  account?: string | null | undefined;
  status: SharkFinHoldingStatus;
  after?: string | null | undefined;
}>;


export type SharkFinOfQuery = { account: { earn: { sharkFin: { totals: { subscribedUsdt: string | null, amountUsdt: string | null, earnedUsdt: string | null } | null, assets: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, productId: string, productCoin: string | null, subscribeCoin: string, trend: SharkFinTrend | null, status: SharkFinStatus | null, interestAmount: string | null, interestStartTime: string | null, interestEndTime: string | null, settleTime: string | null } | null> } | null } } } | null };

export type SharkFinOffersQueryVariables = Exact<{
  account?: string | null | undefined;
  coin: string;
  after?: string | null | undefined;
}>;


export type SharkFinOffersQuery = { account: { earn: { sharkFin: { offers: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ productId: string, productName: string | null, productCoin: string | null, subscribeCoin: string | null, status: SharkFinOfferStatus | null, periodDays: number | null, lowerRate: string | null, defaultRate: string | null, upperRate: string | null, minAmount: string | null, limitAmount: string | null, soldAmount: string | null, endTime: string | null } | null> } | null } } } | null };

export type SharkFinRecordsQueryVariables = Exact<{
  account?: string | null | undefined;
  type: SharkFinRecordTypeInput;
  after?: string | null | undefined;
}>;


export type SharkFinRecordsQuery = { account: { earn: { sharkFin: { records: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ orderId: string, product: string | null, period: string | null, type: SharkFinRecordType | null, amount: string | null, createdTime: string | null } | null> } | null } } } | null };

export type OrderEndQueryVariables = Exact<{
  account?: string | null | undefined;
  orderId: string;
  category?: ProductCategoryInput | null | undefined;
  symbol?: string | null | undefined;
}>;


export type OrderEndQuery = { account: { order: { id: string, status: OrderStatus | null, qty: string | null, cumExecQty: string | null, avgPrice: string | null } | null } | null };

export type PlanEndQueryVariables = Exact<{
  id: string;
}>;


export type PlanEndQuery = { node:
    | { id: string, status: PlanStatus | null, triggeredExit: PlanExit | null, subOrders: { nodes: Array<{ id: string } | null> } | null }
    | Record<PropertyKey, never>
   | null };

export type HaltTradingMutationVariables = Exact<{
  input: HaltTradingInput;
}>;


export type HaltTradingMutation = { haltTrading: { cancelled: number | null, outcome: WriteOutcome | null, kept: Array<{ accountName: string, orderId: string, symbol: string, planType: PlanType | null }>, cancelFailures: Array<{ accountName: string, orderId: string | null, symbol: string | null, message: string }>, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null, isRetryable: boolean }> } };

export type ResumeTradingMutationVariables = Exact<{
  input: ResumeTradingInput;
}>;


export type ResumeTradingMutation = { resumeTrading: { outcome: WriteOutcome | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null, isRetryable: boolean }> } };

export type HealthOfQueryVariables = Exact<{ [key: string]: never; }>;


export type HealthOfQuery = { exchange: { time: string, clockSkewMs: number | null, cache: { hits: number, misses: number, hitRatio: string | null }, budgets: Array<{ endpoint: string, counter: string, limit: number, left: number, waiting: number, windowMs: number }>, sharedCounters: Array<{ counter: string, share: string, noticedTime: string }>, breakers: Array<{ endpoint: string, account: string | null, status: BreakerState }>, streams: Array<{ stream: string, topics: number, live: number }>, connections: Array<{ apiVersion: string, account: string | null, status: SocketState, topics: number }>, halts: Array<{ account: string | null, by: string | null, reason: string | null, startTime: string }> } };

export type LiveListsOfQueryVariables = Exact<{ [key: string]: never; }>;


export type LiveListsOfQuery = { exchange: { liveLists: Array<{ account: string, stream: string, list: string, comparedTime: string | null, reason: UnprovenReason | null }> } };

export type WorthsFragment = { missingAccounts: Array<{ name: string }>, gaps: Array<{ startTime: string, endTime: string, reason: EquityGapReason }>, points: Array<{ time: string, sampledTime: string, source: EquitySource, equity: string, low: string, high: string, change: { total: string, flows: string } | null }> };

export type ReadWorthsQueryVariables = Exact<{
  account?: string | null | undefined;
  one: boolean;
  each: boolean;
  all: boolean;
  from: string;
  to?: string | null | undefined;
  interval: EquityInterval;
}>;


export type ReadWorthsQuery = { account?: { name: string, equityHistory: { missingAccounts: Array<{ name: string }>, gaps: Array<{ startTime: string, endTime: string, reason: EquityGapReason }>, points: Array<{ time: string, sampledTime: string, source: EquitySource, equity: string, low: string, high: string, change: { total: string, flows: string } | null }> } | null } | null, accounts?: Array<{ name: string, equityHistory: { missingAccounts: Array<{ name: string }>, gaps: Array<{ startTime: string, endTime: string, reason: EquityGapReason }>, points: Array<{ time: string, sampledTime: string, source: EquitySource, equity: string, low: string, high: string, change: { total: string, flows: string } | null }> } | null }>, equityHistory?: { missingAccounts: Array<{ name: string }>, gaps: Array<{ startTime: string, endTime: string, reason: EquityGapReason }>, points: Array<{ time: string, sampledTime: string, source: EquitySource, equity: string, low: string, high: string, change: { total: string, flows: string } | null }> } | null };

export type WatchWorthSubscriptionVariables = Exact<{
  accounts?: Array<string> | string | null | undefined;
}>;


export type WatchWorthSubscription = { equity: { account: { name: string }, point: { time: string } | null, gap: { endTime: string } | null } };

export type PerformanceRowFragment = { category: FinancialRecordCategory | null, symbol: string | null, startTime: string, endTime: string, equityAtStart: string | null, equityAtEnd: string | null, longestDrawdownSeconds: number | null, realised: string, fees: string, funding: string, closings: number, account: { name: string } | null, change: { total: string, flows: string, deposits: string, withdrawals: string, transfers: string, loans: string, earn: string, trades: string, fees: string, funding: string, interest: string, other: string, unrealised: string, revaluation: string, rounding: string, unexplained: string } | null, timeWeightedReturn: { value: string | null, reason: UnknownFigureReason | null }, moneyWeightedReturn: { value: string | null, reason: UnknownFigureReason | null }, maxDrawdown: { value: string | null, reason: UnknownFigureReason | null }, volatility: { value: string | null, reason: UnknownFigureReason | null }, sharpe: { value: string | null, reason: UnknownFigureReason | null }, sortino: { value: string | null, reason: UnknownFigureReason | null }, calmar: { value: string | null, reason: UnknownFigureReason | null }, winRate: { value: string | null, reason: UnknownFigureReason | null }, profitFactor: { value: string | null, reason: UnknownFigureReason | null }, expectancy: { value: string | null, reason: UnknownFigureReason | null }, missingAccounts: Array<{ name: string }> };

export type ReadPerformanceQueryVariables = Exact<{
  account?: string | null | undefined;
  one: boolean;
  from: string;
  to?: string | null | undefined;
  by: PerformanceGroup;
}>;


export type ReadPerformanceQuery = { account?: { performance: Array<{ category: FinancialRecordCategory | null, symbol: string | null, startTime: string, endTime: string, equityAtStart: string | null, equityAtEnd: string | null, longestDrawdownSeconds: number | null, realised: string, fees: string, funding: string, closings: number, account: { name: string } | null, change: { total: string, flows: string, deposits: string, withdrawals: string, transfers: string, loans: string, earn: string, trades: string, fees: string, funding: string, interest: string, other: string, unrealised: string, revaluation: string, rounding: string, unexplained: string } | null, timeWeightedReturn: { value: string | null, reason: UnknownFigureReason | null }, moneyWeightedReturn: { value: string | null, reason: UnknownFigureReason | null }, maxDrawdown: { value: string | null, reason: UnknownFigureReason | null }, volatility: { value: string | null, reason: UnknownFigureReason | null }, sharpe: { value: string | null, reason: UnknownFigureReason | null }, sortino: { value: string | null, reason: UnknownFigureReason | null }, calmar: { value: string | null, reason: UnknownFigureReason | null }, winRate: { value: string | null, reason: UnknownFigureReason | null }, profitFactor: { value: string | null, reason: UnknownFigureReason | null }, expectancy: { value: string | null, reason: UnknownFigureReason | null }, missingAccounts: Array<{ name: string }> }> | null } | null, performance?: Array<{ category: FinancialRecordCategory | null, symbol: string | null, startTime: string, endTime: string, equityAtStart: string | null, equityAtEnd: string | null, longestDrawdownSeconds: number | null, realised: string, fees: string, funding: string, closings: number, account: { name: string } | null, change: { total: string, flows: string, deposits: string, withdrawals: string, transfers: string, loans: string, earn: string, trades: string, fees: string, funding: string, interest: string, other: string, unrealised: string, revaluation: string, rounding: string, unexplained: string } | null, timeWeightedReturn: { value: string | null, reason: UnknownFigureReason | null }, moneyWeightedReturn: { value: string | null, reason: UnknownFigureReason | null }, maxDrawdown: { value: string | null, reason: UnknownFigureReason | null }, volatility: { value: string | null, reason: UnknownFigureReason | null }, sharpe: { value: string | null, reason: UnknownFigureReason | null }, sortino: { value: string | null, reason: UnknownFigureReason | null }, calmar: { value: string | null, reason: UnknownFigureReason | null }, winRate: { value: string | null, reason: UnknownFigureReason | null }, profitFactor: { value: string | null, reason: UnknownFigureReason | null }, expectancy: { value: string | null, reason: UnknownFigureReason | null }, missingAccounts: Array<{ name: string }> }> | null };

export type DayProfitFragment = { startTime: string, profit: string | null, flows: string | null, equity: string, dailyReturn: { value: string | null, reason: UnknownFigureReason | null }, missingAccounts: Array<{ name: string }> };

export type ReadCalendarQueryVariables = Exact<{
  account?: string | null | undefined;
  one: boolean;
  from: string;
  to?: string | null | undefined;
}>;


export type ReadCalendarQuery = { account?: { profitCalendar: Array<{ startTime: string, profit: string | null, flows: string | null, equity: string, dailyReturn: { value: string | null, reason: UnknownFigureReason | null }, missingAccounts: Array<{ name: string }> }> | null } | null, profitCalendar?: Array<{ startTime: string, profit: string | null, flows: string | null, equity: string, dailyReturn: { value: string | null, reason: UnknownFigureReason | null }, missingAccounts: Array<{ name: string }> }> | null };

export type ReadRebuildingQueryVariables = Exact<{
  account?: string | null | undefined;
}>;


export type ReadRebuildingQuery = { account: { historyBackfill: { status: BackfillStatus, share: string, reachedTime: string | null } | null } | null };

export type ReadReconciliationQueryVariables = Exact<{
  account?: string | null | undefined;
  from: string;
  to?: string | null | undefined;
}>;


export type ReadReconciliationQuery = { account: { reconciliation: Array<{ startTime: string, differenceCount: number, balances: { checked: number, reason: UncheckedReason | null }, fills: { checked: number, reason: UncheckedReason | null }, journal: { checked: number, reason: UncheckedReason | null }, differences: Array<{ kind: DifferenceKind, pool: CoinPool | null, coin: string | null, category: ProductCategory | null, symbol: string | null, orderId: string | null, key: string | null, expected: string | null, found: string | null }> }> | null } | null };

export type FillsQueryVariables = Exact<{
  account?: string | null | undefined;
  category: ProductCategoryInput;
  after?: string | null | undefined;
}>;


export type FillsQuery = { account: { fills: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, category: ProductCategory, symbol: string, side: OrderSide | null, posSide: PositionSide | null, tradeSide: TradeSide | null, orderType: OrderType | null, tradeScope: TradeScope | null, price: string | null, qty: string | null, value: string | null, realisedPnl: string | null, createdTime: string | null, execId: string, orderId: string | null, clientOid: string | null, fees: Array<{ amount: string | null, coin: string | null }> | null } | null> } | null } | null };

export type OrderHistoryQueryVariables = Exact<{
  account?: string | null | undefined;
  category: ProductCategoryInput;
  after?: string | null | undefined;
}>;


export type OrderHistoryQuery = { account: { orderHistory: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, orderId: string, clientOid: string | null, category: ProductCategory, symbol: string, side: OrderSide | null, posSide: PositionSide | null, orderType: OrderType | null, timeInForce: TimeInForce | null, status: OrderStatus | null, price: string | null, avgPrice: string | null, qty: string | null, quoteQty: string | null, cumExecQty: string | null, cumExecValue: string | null, realisedPnl: string | null, cancelReason: CancelReason | null, execType: ExecType | null, tradeSide: TradeSide | null, createdTime: string | null, updatedTime: string | null, fees: Array<{ amount: string | null, coin: string | null }> | null, instrument: { baseCoin: string | null, quoteCoin: string | null } | null } | null> } | null } | null };

export type PositionHistoryQueryVariables = Exact<{
  account?: string | null | undefined;
  category: FuturesCategoryInput;
  after?: string | null | undefined;
}>;


export type PositionHistoryQuery = { account: { positionHistory: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, category: FuturesCategory, symbol: string, positionId: string | null, posSide: PositionSide | null, marginCoin: string | null, avgPrice: string | null, avgClosePrice: string | null, openedQty: string | null, closedQty: string | null, realisedPnl: string | null, openFee: string | null, closeFee: string | null, netProfit: string | null, totalFunding: string | null, createdTime: string | null, updatedTime: string | null } | null> } | null } | null };

export type PlanHistoryQueryVariables = Exact<{
  account?: string | null | undefined;
  category: ProductCategoryInput;
  after?: string | null | undefined;
}>;


export type PlanHistoryQuery = { account: { planOrderHistory: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, category: ProductCategory, symbol: string, orderId: string, clientOid: string | null, side: OrderSide | null, posSide: PositionSide | null, tradeSide: TradeSide | null, planType: PlanType | null, status: PlanStatus | null, triggerPrice: string | null, triggerBy: TriggerBy | null, executePrice: string | null, qty: string | null, createdTime: string | null, updatedTime: string | null } | null> } | null } | null };

export type WatchFillsSubscriptionVariables = Exact<{
  account?: string | null | undefined;
}>;


export type WatchFillsSubscription = { fills: { fills: Array<{ id: string }> | null } };

export type ClosedPositionsQueryVariables = Exact<{
  account?: string | null | undefined;
}>;


export type ClosedPositionsQuery = { account: { usdt: { pageInfo: { hasNextPage: boolean }, nodes: Array<{ netProfit: string | null, avgClosePrice: string | null, updatedTime: string | null } | null> } | null, usdc: { pageInfo: { hasNextPage: boolean }, nodes: Array<{ netProfit: string | null, avgClosePrice: string | null, updatedTime: string | null } | null> } | null, coin: { pageInfo: { hasNextPage: boolean }, nodes: Array<{ netProfit: string | null, avgClosePrice: string | null, updatedTime: string | null } | null> } | null } | null };

export type ClosedOfCategoryFragment = { pageInfo: { hasNextPage: boolean }, nodes: Array<{ netProfit: string | null, avgClosePrice: string | null, updatedTime: string | null } | null> };

export type WatchBookSubscriptionVariables = Exact<{
  category: ProductCategoryInput;
  symbol: string;
}>;


export type WatchBookSubscription = { orderBook: { orderBook: { isStale: boolean, bids: Array<{ price: string, qty: string }>, asks: Array<{ price: string, qty: string }> } } };

export type TiersOfQueryVariables = Exact<{
  category: FuturesCategoryInput;
  symbol: string;
}>;


export type TiersOfQuery = { positionTiers: Array<{ minValue: string | null, maxValue: string | null, maintenanceMarginRate: string | null } | null> | null };

export type FundingHistoryQueryVariables = Exact<{
  category: FuturesCategoryInput;
  symbol: string;
}>;


export type FundingHistoryQuery = { fundingHistory: Array<{ fundingRate: string | null, time: string } | null> | null };

export type FuturesSettingsOfQueryVariables = Exact<{
  account?: string | null | undefined;
  category: FuturesCategoryInput;
  symbol: string;
}>;


export type FuturesSettingsOfQuery = { account: { futuresSettings: { symbol: string, holdMode: HoldMode | null, marginMode: MarginMode | null, leverage: string | null, crossedMarginLeverage: string | null, isolatedLongLeverage: string | null, isolatedShortLeverage: string | null } | null } | null };

export type InstrumentTermsQueryVariables = Exact<{
  category: ProductCategoryInput;
  symbol: string;
}>;


export type InstrumentTermsQuery = { instrument: { id: string, symbol: string, baseCoin: string | null, quoteCoin: string | null, status: InstrumentStatus | null, fundInterval: number | null, supportMarginCoins: Array<string> | null, precision: { price: number | null, quantity: number | null, quote: number | null } | null, orderSize: { min: string | null, max: string | null, maxMarket: string | null, minAmount: string | null, step: string | null }, leverage: { min: string | null, max: string | null } | null, fees: { maker: string | null, taker: string | null } | null } | null };

export type MarketsOfQueryVariables = Exact<{
  category: ProductCategoryInput;
}>;


export type MarketsOfQuery = { tickers: Array<{ symbol: string, lastPrice: string | null, change24h: string | null, turnover24h: string | null, fundingRate: string | null } | null> | null };

export type WatchTradesSubscriptionVariables = Exact<{
  category: ProductCategoryInput;
  symbol: string;
}>;


export type WatchTradesSubscription = { trades: { trades: Array<{ execId: string, price: string | null, qty: string | null, side: OrderSide | null, time: string | null }> } };

export type WatchTickerSubscriptionVariables = Exact<{
  category: ProductCategoryInput;
  symbol: string;
}>;


export type WatchTickerSubscription = { ticker: { ticker: { id: string, lastPrice: string | null, ask1Price: string | null, bid1Price: string | null, change24h: string | null, highPrice24h: string | null, lowPrice24h: string | null, volume24h: string | null, turnover24h: string | null, markPrice: string | null, indexPrice: string | null, fundingRate: string | null, nextFundingTime: string | null, openInterest: string | null } | null } };

export type MarketsQueryVariables = Exact<{ [key: string]: never; }>;


export type MarketsQuery = { spot: Array<{ symbol: string, category: ProductCategory } | null> | null, usdt: Array<{ symbol: string, category: ProductCategory } | null> | null, usdc: Array<{ symbol: string, category: ProductCategory } | null> | null, coin: Array<{ symbol: string, category: ProductCategory } | null> | null };

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
export const EstimatedFragmentDoc = new TypedDocumentString(`
    fragment Estimated on OrderEstimate {
  cost
  costCoin
  fee
  feeRate
  margin
  required
  requiredCoin
  available
  isAffordable
  leverage
  maxQty
  maxQuoteQty
}
    `, {"fragmentName":"Estimated"}) as unknown as TypedDocumentString<EstimatedFragment, unknown>;
export const WrittenFragmentDoc = new TypedDocumentString(`
    fragment Written on WritePayload {
  outcome
  userErrors {
    code
    message
    field
    isRetryable
  }
}
    `, {"fragmentName":"Written"}) as unknown as TypedDocumentString<WrittenFragment, unknown>;
export const WorthsFragmentDoc = new TypedDocumentString(`
    fragment Worths on EquityHistory {
  missingAccounts {
    name
  }
  gaps {
    startTime
    endTime
    reason
  }
  points {
    time
    sampledTime
    source
    equity
    low
    high
    change {
      total
      flows
    }
  }
}
    `, {"fragmentName":"Worths"}) as unknown as TypedDocumentString<WorthsFragment, unknown>;
export const PerformanceRowFragmentDoc = new TypedDocumentString(`
    fragment PerformanceRow on Performance {
  account {
    name
  }
  category
  symbol
  startTime
  endTime
  equityAtStart
  equityAtEnd
  change {
    total
    flows
    deposits
    withdrawals
    transfers
    loans
    earn
    trades
    fees
    funding
    interest
    other
    unrealised
    revaluation
    rounding
    unexplained
  }
  timeWeightedReturn {
    value
    reason
  }
  moneyWeightedReturn {
    value
    reason
  }
  maxDrawdown {
    value
    reason
  }
  longestDrawdownSeconds
  volatility {
    value
    reason
  }
  sharpe {
    value
    reason
  }
  sortino {
    value
    reason
  }
  calmar {
    value
    reason
  }
  realised
  fees
  funding
  closings
  winRate {
    value
    reason
  }
  profitFactor {
    value
    reason
  }
  expectancy {
    value
    reason
  }
  missingAccounts {
    name
  }
}
    `, {"fragmentName":"PerformanceRow"}) as unknown as TypedDocumentString<PerformanceRowFragment, unknown>;
export const DayProfitFragmentDoc = new TypedDocumentString(`
    fragment DayProfit on ProfitDay {
  startTime
  profit
  flows
  equity
  dailyReturn {
    value
    reason
  }
  missingAccounts {
    name
  }
}
    `, {"fragmentName":"DayProfit"}) as unknown as TypedDocumentString<DayProfitFragment, unknown>;
export const ClosedOfCategoryFragmentDoc = new TypedDocumentString(`
    fragment ClosedOfCategory on HistoricalPositionConnection {
  pageInfo {
    hasNextPage
  }
  nodes {
    netProfit
    avgClosePrice
    updatedTime
  }
}
    `, {"fragmentName":"ClosedOfCategory"}) as unknown as TypedDocumentString<ClosedOfCategoryFragment, unknown>;
export const PlaceOrderDocument = new TypedDocumentString(`
    mutation PlaceOrder($input: PlaceOrderInput!) {
  placeOrder(input: $input) {
    ...Written
    orderId
    estimate {
      ...Estimated
    }
  }
}
    fragment Estimated on OrderEstimate {
  cost
  costCoin
  fee
  feeRate
  margin
  required
  requiredCoin
  available
  isAffordable
  leverage
  maxQty
  maxQuoteQty
}
fragment Written on WritePayload {
  outcome
  userErrors {
    code
    message
    field
    isRetryable
  }
}`) as unknown as TypedDocumentString<PlaceOrderMutation, PlaceOrderMutationVariables>;
export const PlaceTpslDocument = new TypedDocumentString(`
    mutation PlaceTpsl($input: PlaceTpslOrderInput!) {
  placeTpslOrder(input: $input) {
    ...Written
    orderId
    estimate {
      ...Estimated
    }
  }
}
    fragment Estimated on OrderEstimate {
  cost
  costCoin
  fee
  feeRate
  margin
  required
  requiredCoin
  available
  isAffordable
  leverage
  maxQty
  maxQuoteQty
}
fragment Written on WritePayload {
  outcome
  userErrors {
    code
    message
    field
    isRetryable
  }
}`) as unknown as TypedDocumentString<PlaceTpslMutation, PlaceTpslMutationVariables>;
export const PlacePlanDocument = new TypedDocumentString(`
    mutation PlacePlan($input: PlacePlanOrderInput!) {
  placePlanOrder(input: $input) {
    ...Written
    orderId
    estimate {
      ...Estimated
    }
  }
}
    fragment Estimated on OrderEstimate {
  cost
  costCoin
  fee
  feeRate
  margin
  required
  requiredCoin
  available
  isAffordable
  leverage
  maxQty
  maxQuoteQty
}
fragment Written on WritePayload {
  outcome
  userErrors {
    code
    message
    field
    isRetryable
  }
}`) as unknown as TypedDocumentString<PlacePlanMutation, PlacePlanMutationVariables>;
export const PlaceManyDocument = new TypedDocumentString(`
    mutation PlaceMany($input: PlaceOrdersInput!) {
  placeOrders(input: $input) {
    ...Written
    orders {
      outcome
    }
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
    }
  }
}
    fragment Written on WritePayload {
  outcome
  userErrors {
    code
    message
    field
    isRetryable
  }
}`) as unknown as TypedDocumentString<PlaceManyMutation, PlaceManyMutationVariables>;
export const ModifyOrderDocument = new TypedDocumentString(`
    mutation ModifyOrder($input: ModifyOrderInput!) {
  modifyOrder(input: $input) {
    ...Written
    estimate {
      ...Estimated
    }
  }
}
    fragment Estimated on OrderEstimate {
  cost
  costCoin
  fee
  feeRate
  margin
  required
  requiredCoin
  available
  isAffordable
  leverage
  maxQty
  maxQuoteQty
}
fragment Written on WritePayload {
  outcome
  userErrors {
    code
    message
    field
    isRetryable
  }
}`) as unknown as TypedDocumentString<ModifyOrderMutation, ModifyOrderMutationVariables>;
export const ModifyPlanDocument = new TypedDocumentString(`
    mutation ModifyPlan($input: ModifyPlanOrderInput!) {
  modifyPlanOrder(input: $input) {
    ...Written
  }
}
    fragment Written on WritePayload {
  outcome
  userErrors {
    code
    message
    field
    isRetryable
  }
}`) as unknown as TypedDocumentString<ModifyPlanMutation, ModifyPlanMutationVariables>;
export const CancelOrderDocument = new TypedDocumentString(`
    mutation CancelOrder($input: CancelOrderInput!) {
  cancelOrder(input: $input) {
    ...Written
  }
}
    fragment Written on WritePayload {
  outcome
  userErrors {
    code
    message
    field
    isRetryable
  }
}`) as unknown as TypedDocumentString<CancelOrderMutation, CancelOrderMutationVariables>;
export const AdjustMarginDocument = new TypedDocumentString(`
    mutation AdjustMargin($input: AdjustPositionMarginInput!) {
  adjustPositionMargin(input: $input) {
    ...Written
  }
}
    fragment Written on WritePayload {
  outcome
  userErrors {
    code
    message
    field
    isRetryable
  }
}`) as unknown as TypedDocumentString<AdjustMarginMutation, AdjustMarginMutationVariables>;
export const SetLeverageDocument = new TypedDocumentString(`
    mutation SetLeverage($input: SetLeverageInput!) {
  setLeverage(input: $input) {
    ...Written
  }
}
    fragment Written on WritePayload {
  outcome
  userErrors {
    code
    message
    field
    isRetryable
  }
}`) as unknown as TypedDocumentString<SetLeverageMutation, SetLeverageMutationVariables>;
export const SetMarginModeDocument = new TypedDocumentString(`
    mutation SetMarginMode($input: SetMarginModeInput!) {
  setMarginMode(input: $input) {
    ...Written
  }
}
    fragment Written on WritePayload {
  outcome
  userErrors {
    code
    message
    field
    isRetryable
  }
}`) as unknown as TypedDocumentString<SetMarginModeMutation, SetMarginModeMutationVariables>;
export const SetHoldModeDocument = new TypedDocumentString(`
    mutation SetHoldMode($input: SetHoldModeInput!) {
  setHoldMode(input: $input) {
    ...Written
  }
}
    fragment Written on WritePayload {
  outcome
  userErrors {
    code
    message
    field
    isRetryable
  }
}`) as unknown as TypedDocumentString<SetHoldModeMutation, SetHoldModeMutationVariables>;
export const ViewerDocument = new TypedDocumentString(`
    query Viewer {
  viewer {
    name
    isAnonymous
    expireTime
    scopes {
      scope
      accounts
    }
    environment {
      name
      kind
    }
  }
}
    `) as unknown as TypedDocumentString<ViewerQuery, ViewerQueryVariables>;
export const ListAccountsDocument = new TypedDocumentString(`
    query ListAccounts {
  accounts {
    name
    mode
  }
}
    `) as unknown as TypedDocumentString<ListAccountsQuery, ListAccountsQueryVariables>;
export const EquityDocument = new TypedDocumentString(`
    query Equity($account: String) {
  account(name: $account) {
    totalEquity
  }
}
    `) as unknown as TypedDocumentString<EquityQuery, EquityQueryVariables>;
export const WatchForcedDocument = new TypedDocumentString(`
    subscription WatchForced($account: String) {
  orders(account: $account) {
    orders {
      id
      symbol
      side
      status
      execType
      tradeSide
      cumExecQty
      avgPrice
      realisedPnl
    }
  }
}
    `) as unknown as TypedDocumentString<WatchForcedSubscription, WatchForcedSubscriptionVariables>;
export const HaltsOfDocument = new TypedDocumentString(`
    query HaltsOf {
  accounts {
    name
    halt {
      account
      startTime
      reason
    }
  }
}
    `) as unknown as TypedDocumentString<HaltsOfQuery, HaltsOfQueryVariables>;
export const WatchExecutionsDocument = new TypedDocumentString(`
    subscription WatchExecutions($account: String) {
  fills(account: $account) {
    fills {
      id
      symbol
      side
      qty
      price
    }
  }
}
    `) as unknown as TypedDocumentString<WatchExecutionsSubscription, WatchExecutionsSubscriptionVariables>;
export const WatchOrdersDocument = new TypedDocumentString(`
    subscription WatchOrders($account: String) {
  orders(account: $account, pace: {mode: LATEST, everyMs: 250}) {
    orders {
      id
      orderId
      clientOid
      category
      symbol
      side
      posSide
      tradeSide
      orderType
      status
      timeInForce
      price
      qty
      quoteQty
      cumExecQty
      cumExecValue
      avgPrice
      isReduceOnly
      tpslType
      triggerPrice
      takeProfit {
        triggerPrice
      }
      stopLoss {
        triggerPrice
      }
      createdTime
      instrument {
        baseCoin
        quoteCoin
        precision {
          price
          quantity
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<WatchOrdersSubscription, WatchOrdersSubscriptionVariables>;
export const WatchPlanOrdersDocument = new TypedDocumentString(`
    subscription WatchPlanOrders($account: String) {
  planOrders(account: $account, pace: {mode: LATEST, everyMs: 250}) {
    planOrders {
      id
      orderId
      clientOid
      category
      symbol
      side
      posSide
      tradeSide
      planType
      status
      triggerPrice
      triggerBy
      executePrice
      callbackRate
      terms {
        ... on OcoTerms {
          limitPrice
          triggerPrice
        }
        ... on TrailingStopTerms {
          activationPrice
          callbackRate
          callbackSpread
        }
        ... on IcebergTerms {
          parts
          partQty
        }
        ... on TwapTerms {
          durationMinutes
          intervalSeconds
        }
      }
      qty
      takeProfit {
        triggerPrice
      }
      stopLoss {
        triggerPrice
      }
      createdTime
      instrument {
        precision {
          price
          quantity
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<WatchPlanOrdersSubscription, WatchPlanOrdersSubscriptionVariables>;
export const WatchPositionsDocument = new TypedDocumentString(`
    subscription WatchPositions($account: String, $everyMs: Int!) {
  positions(account: $account, pace: {mode: LATEST, everyMs: $everyMs}) {
    positions {
      id
      category
      symbol
      posSide
      holdMode
      marginMode
      marginCoin
      leverage
      qty
      availableQty
      avgPrice
      breakEvenPrice
      markPrice
      liquidationPrice
      unrealisedPnl
      realisedPnl
      profitRate
      margin
      marginRatio
      notional
      takeProfit {
        triggerPrice
      }
      stopLoss {
        triggerPrice
      }
      instrument {
        baseCoin
        quoteCoin
        precision {
          price
          quantity
        }
        orderSize {
          min
          step
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<WatchPositionsSubscription, WatchPositionsSubscriptionVariables>;
export const WritesDocument = new TypedDocumentString(`
    query Writes($account: String, $after: String) {
  account(name: $account) {
    journal(first: 100, after: $after) {
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        id
        seq
        mutation
        endpoint
        status
        sentTime
        settledTime
        idempotencyKey
        clientOid
        parameters
        problem {
          code
          message
          exchangeCode
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<WritesQuery, WritesQueryVariables>;
export const AllAccountsDocument = new TypedDocumentString(`
    query AllAccounts {
  accounts {
    id
    name
    mode
    totalEquity
    positions {
      category
      symbol
      unrealisedPnl
      markPrice
      notional
    }
    openOrders(first: 100) {
      pageInfo {
        hasNextPage
      }
      nodes {
        id
      }
    }
  }
}
    `) as unknown as TypedDocumentString<AllAccountsQuery, AllAccountsQueryVariables>;
export const BalancesDocument = new TypedDocumentString(`
    query Balances($account: String) {
  account(name: $account) {
    balances {
      id
      coin
      balance
      available
      frozen
      locked
      debt
      valueUsdt
    }
  }
}
    `) as unknown as TypedDocumentString<BalancesQuery, BalancesQueryVariables>;
export const BrokerOfDocument = new TypedDocumentString(`
    query BrokerOf($account: String, $after: String) {
  account(name: $account) {
    broker {
      info {
        subAccountCount
        maxSubAccountCount
      }
      subAccounts(first: 100, after: $after) {
        pageInfo {
          hasNextPage
          endCursor
        }
        nodes {
          id
          subUid
          profile {
            name
            label
            status
            permissions
            createdTime
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<BrokerOfQuery, BrokerOfQueryVariables>;
export const BrokerWithdrawalsDocument = new TypedDocumentString(`
    query BrokerWithdrawals($account: String, $after: String) {
  account(name: $account) {
    broker {
      withdrawals(first: 100, after: $after) {
        pageInfo {
          hasNextPage
          endCursor
        }
        nodes {
          orderId
          subUid
          coin
          chain
          amount
          fee
          dest
          status
          toAddress
          txId
          createdTime
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<BrokerWithdrawalsQuery, BrokerWithdrawalsQueryVariables>;
export const SubAccountOfDocument = new TypedDocumentString(`
    query SubAccountOf($account: String, $subUid: String!) {
  account(name: $account) {
    broker {
      subAccount(subUid: $subUid) {
        id
        subUid
        contact {
          email
          name
        }
        spotAssets(assetType: HOLD_ONLY) {
          coin
          available
          frozen
          locked
          valueUsdt
        }
        futuresAssets(productType: USDT_FUTURES) {
          marginCoin
          equity
          available
          unrealisedPnl
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<SubAccountOfQuery, SubAccountOfQueryVariables>;
export const ModifyEmailDocument = new TypedDocumentString(`
    mutation ModifyEmail($input: ModifySubAccountEmailInput!) {
  modifySubAccountEmail(input: $input) {
    ...Written
  }
}
    fragment Written on WritePayload {
  outcome
  userErrors {
    code
    message
    field
    isRetryable
  }
}`) as unknown as TypedDocumentString<ModifyEmailMutation, ModifyEmailMutationVariables>;
export const WithdrawDocument = new TypedDocumentString(`
    mutation Withdraw($input: WithdrawFromSubAccountInput!) {
  withdrawFromSubAccount(input: $input) {
    orderId
    request {
      path
      body
    }
    ...Written
  }
}
    fragment Written on WritePayload {
  outcome
  userErrors {
    code
    message
    field
    isRetryable
  }
}`) as unknown as TypedDocumentString<WithdrawMutation, WithdrawMutationVariables>;
export const WatchCandlesDocument = new TypedDocumentString(`
    subscription WatchCandles($category: ProductCategoryInput!, $symbol: String!, $interval: CandleInterval!) {
  candles(category: $category, symbol: $symbol, interval: $interval) {
    candles {
      startTime
      open
      high
      low
      close
      volume
    }
  }
}
    `) as unknown as TypedDocumentString<WatchCandlesSubscription, WatchCandlesSubscriptionVariables>;
export const PastCandlesDocument = new TypedDocumentString(`
    query PastCandles($category: ProductCategoryInput!, $symbol: String!, $interval: CandleInterval!, $to: DateTime!) {
  candles(
    category: $category
    symbol: $symbol
    interval: $interval
    to: $to
    first: 300
  ) {
    startTime
    open
    high
    low
    close
    volume
  }
}
    `) as unknown as TypedDocumentString<PastCandlesQuery, PastCandlesQueryVariables>;
export const FillsOfDocument = new TypedDocumentString(`
    query FillsOf($account: String, $category: ProductCategoryInput!) {
  account(name: $account) {
    fills(category: $category, first: 100) {
      nodes {
        id
        symbol
        side
        qty
        createdTime
      }
    }
  }
}
    `) as unknown as TypedDocumentString<FillsOfQuery, FillsOfQueryVariables>;
export const ConversionsDocument = new TypedDocumentString(`
    query Conversions($account: String, $after: String) {
  account(name: $account) {
    convertRecords(first: 100, after: $after) {
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        recordId
        createdTime
        fromCoin
        fromAmount
        toCoin
        toAmount
        price
        fee
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ConversionsQuery, ConversionsQueryVariables>;
export const CurrenciesDocument = new TypedDocumentString(`
    query Currencies($account: String) {
  account(name: $account) {
    convertCurrencies {
      coin
      available
      minAmount
      maxAmount
    }
  }
}
    `) as unknown as TypedDocumentString<CurrenciesQuery, CurrenciesQueryVariables>;
export const QuoteDocument = new TypedDocumentString(`
    query Quote($account: String, $fromCoin: String!, $toCoin: String!, $fromAmount: Decimal!) {
  account(name: $account) {
    convertQuote(fromCoin: $fromCoin, toCoin: $toCoin, amount: {from: $fromAmount}) {
      traceId
      fromCoin
      fromAmount
      toCoin
      toAmount
      price
      fee
      expireTime
    }
  }
}
    `) as unknown as TypedDocumentString<QuoteQuery, QuoteQueryVariables>;
export const ConvertItDocument = new TypedDocumentString(`
    mutation ConvertIt($input: ConvertInput!) {
  convert(input: $input) {
    toAmount
    toCoin
    ...Written
  }
}
    fragment Written on WritePayload {
  outcome
  userErrors {
    code
    message
    field
    isRetryable
  }
}`) as unknown as TypedDocumentString<ConvertItMutation, ConvertItMutationVariables>;
export const ClosedLoansDocument = new TypedDocumentString(`
    query ClosedLoans($account: String, $after: String) {
  account(name: $account) {
    loans {
      history(first: 100, after: $after) {
        pageInfo {
          hasNextPage
          endCursor
        }
        nodes {
          orderId
          loanCoin
          loanAmount
          pledgeCoin
          pledgeAmount
          hourlyRate
          term
          status
          borrowTime
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ClosedLoansQuery, ClosedLoansQueryVariables>;
export const RepaymentsDocument = new TypedDocumentString(`
    query Repayments($account: String, $after: String) {
  account(name: $account) {
    loans {
      repayments(first: 100, after: $after) {
        pageInfo {
          hasNextPage
          endCursor
        }
        nodes {
          orderId
          loanCoin
          amount
          principalAmount
          interestAmount
          pledgeCoin
          unlockedAmount
          repayTime
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<RepaymentsQuery, RepaymentsQueryVariables>;
export const ReductionsDocument = new TypedDocumentString(`
    query Reductions($account: String, $after: String) {
  account(name: $account) {
    loans {
      reductions(first: 100, after: $after) {
        pageInfo {
          hasNextPage
          endCursor
        }
        nodes {
          orderId
          loanCoin
          principalAmount
          pledgeCoin
          pledgeAmount
          pledgePrice
          leftAmount
          fee
          ltv
          status
          reduceTime
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ReductionsQuery, ReductionsQueryVariables>;
export const WatchLoansDocument = new TypedDocumentString(`
    subscription WatchLoans($account: String) {
  loans(account: $account, pace: {mode: LATEST, everyMs: 1000}) {
    loans {
      id
      orderId
      loanCoin
      pledgeCoin
      loanAmount
      interestAmount
      pledgeAmount
      hourlyRate
      currentLtv
      ltv
      marginCallLtv
      liquidationLtv
      distanceToLiquidation
      borrowTime
      expireTime
    }
  }
}
    `) as unknown as TypedDocumentString<WatchLoansSubscription, WatchLoansSubscriptionVariables>;
export const DebtsDocument = new TypedDocumentString(`
    query Debts($account: String) {
  account(name: $account) {
    loans {
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
}
    `) as unknown as TypedDocumentString<DebtsQuery, DebtsQueryVariables>;
export const SavingsOfDocument = new TypedDocumentString(`
    query SavingsOf($account: String, $periodType: SavingsPeriodTypeInput!, $after: String) {
  account(name: $account) {
    earn {
      savings {
        totals {
          amountUsdt
          earned24hUsdt
          earnedUsdt
        }
        assets(periodType: $periodType, first: 100, after: $after) {
          pageInfo {
            hasNextPage
            endCursor
          }
          nodes {
            productId
            orderId
            productCoin
            amount
            periodType
            periodDays
            holdDays
            status
            canRedeemEarly
            lastProfit
            totalProfit
            interestCoin
            apyTiers {
              apy
            }
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<SavingsOfQuery, SavingsOfQueryVariables>;
export const RedeemSavingsDocument = new TypedDocumentString(`
    mutation RedeemSavings($input: RedeemSavingsInput!) {
  redeemSavings(input: $input) {
    ...Written
  }
}
    fragment Written on WritePayload {
  outcome
  userErrors {
    code
    message
    field
    isRetryable
  }
}`) as unknown as TypedDocumentString<RedeemSavingsMutation, RedeemSavingsMutationVariables>;
export const SavingsProductsDocument = new TypedDocumentString(`
    query SavingsProducts($account: String) {
  account(name: $account) {
    earn {
      savings {
        products(filter: ALL) {
          productId
          coin
          periodType
          periodDays
          canRedeemEarly
          settleMethod
          status
          apyTiers {
            tier
            apy
            minAmount
            maxAmount
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<SavingsProductsQuery, SavingsProductsQueryVariables>;
export const SavingsRecordsDocument = new TypedDocumentString(`
    query SavingsRecords($account: String, $periodType: SavingsPeriodTypeInput!, $orderType: SavingsRecordTypeInput, $after: String) {
  account(name: $account) {
    earn {
      savings {
        records(
          periodType: $periodType
          orderType: $orderType
          first: 100
          after: $after
        ) {
          pageInfo {
            hasNextPage
            endCursor
          }
          nodes {
            orderId
            productCoin
            interestCoin
            orderType
            periodType
            periodDays
            amount
            createdTime
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<SavingsRecordsQuery, SavingsRecordsQueryVariables>;
export const SharkFinOfDocument = new TypedDocumentString(`
    query SharkFinOf($account: String, $status: SharkFinHoldingStatus!, $after: String) {
  account(name: $account) {
    earn {
      sharkFin {
        totals {
          subscribedUsdt
          amountUsdt
          earnedUsdt
        }
        assets(status: $status, first: 100, after: $after) {
          pageInfo {
            hasNextPage
            endCursor
          }
          nodes {
            id
            productId
            productCoin
            subscribeCoin
            trend
            status
            interestAmount
            interestStartTime
            interestEndTime
            settleTime
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<SharkFinOfQuery, SharkFinOfQueryVariables>;
export const SharkFinOffersDocument = new TypedDocumentString(`
    query SharkFinOffers($account: String, $coin: String!, $after: String) {
  account(name: $account) {
    earn {
      sharkFin {
        offers(coin: $coin, first: 100, after: $after) {
          pageInfo {
            hasNextPage
            endCursor
          }
          nodes {
            productId
            productName
            productCoin
            subscribeCoin
            status
            periodDays
            lowerRate
            defaultRate
            upperRate
            minAmount
            limitAmount
            soldAmount
            endTime
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<SharkFinOffersQuery, SharkFinOffersQueryVariables>;
export const SharkFinRecordsDocument = new TypedDocumentString(`
    query SharkFinRecords($account: String, $type: SharkFinRecordTypeInput!, $after: String) {
  account(name: $account) {
    earn {
      sharkFin {
        records(type: $type, first: 100, after: $after) {
          pageInfo {
            hasNextPage
            endCursor
          }
          nodes {
            orderId
            product
            period
            type
            amount
            createdTime
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<SharkFinRecordsQuery, SharkFinRecordsQueryVariables>;
export const OrderEndDocument = new TypedDocumentString(`
    query OrderEnd($account: String, $orderId: String!, $category: ProductCategoryInput, $symbol: String) {
  account(name: $account) {
    order(by: {orderId: $orderId}, category: $category, symbol: $symbol) {
      id
      status
      qty
      cumExecQty
      avgPrice
    }
  }
}
    `) as unknown as TypedDocumentString<OrderEndQuery, OrderEndQueryVariables>;
export const PlanEndDocument = new TypedDocumentString(`
    query PlanEnd($id: ID!) {
  node(id: $id) {
    ... on PlanOrder {
      id
      status
      triggeredExit
      subOrders(first: 1) {
        nodes {
          id
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<PlanEndQuery, PlanEndQueryVariables>;
export const HaltTradingDocument = new TypedDocumentString(`
    mutation HaltTrading($input: HaltTradingInput!) {
  haltTrading(input: $input) {
    cancelled
    kept {
      accountName
      orderId
      symbol
      planType
    }
    cancelFailures {
      accountName
      orderId
      symbol
      message
    }
    ...Written
  }
}
    fragment Written on WritePayload {
  outcome
  userErrors {
    code
    message
    field
    isRetryable
  }
}`) as unknown as TypedDocumentString<HaltTradingMutation, HaltTradingMutationVariables>;
export const ResumeTradingDocument = new TypedDocumentString(`
    mutation ResumeTrading($input: ResumeTradingInput!) {
  resumeTrading(input: $input) {
    ...Written
  }
}
    fragment Written on WritePayload {
  outcome
  userErrors {
    code
    message
    field
    isRetryable
  }
}`) as unknown as TypedDocumentString<ResumeTradingMutation, ResumeTradingMutationVariables>;
export const HealthOfDocument = new TypedDocumentString(`
    query HealthOf {
  exchange {
    time
    clockSkewMs
    cache {
      hits
      misses
      hitRatio
    }
    budgets {
      endpoint
      counter
      limit
      left
      waiting
      windowMs
    }
    sharedCounters {
      counter
      share
      noticedTime
    }
    breakers {
      endpoint
      account
      status
    }
    streams {
      stream
      topics
      live
    }
    connections {
      apiVersion
      account
      status
      topics
    }
    halts {
      account
      by
      reason
      startTime
    }
  }
}
    `) as unknown as TypedDocumentString<HealthOfQuery, HealthOfQueryVariables>;
export const LiveListsOfDocument = new TypedDocumentString(`
    query LiveListsOf {
  exchange {
    liveLists {
      account
      stream
      list
      comparedTime
      reason
    }
  }
}
    `) as unknown as TypedDocumentString<LiveListsOfQuery, LiveListsOfQueryVariables>;
export const ReadWorthsDocument = new TypedDocumentString(`
    query ReadWorths($account: String, $one: Boolean!, $each: Boolean!, $all: Boolean!, $from: DateTime!, $to: DateTime, $interval: EquityInterval!) {
  account(name: $account) @include(if: $one) {
    name
    equityHistory(from: $from, to: $to, interval: $interval) {
      ...Worths
    }
  }
  accounts @include(if: $each) {
    name
    equityHistory(from: $from, to: $to, interval: $interval) {
      ...Worths
    }
  }
  equityHistory(from: $from, to: $to, interval: $interval) @include(if: $all) {
    ...Worths
  }
}
    fragment Worths on EquityHistory {
  missingAccounts {
    name
  }
  gaps {
    startTime
    endTime
    reason
  }
  points {
    time
    sampledTime
    source
    equity
    low
    high
    change {
      total
      flows
    }
  }
}`) as unknown as TypedDocumentString<ReadWorthsQuery, ReadWorthsQueryVariables>;
export const WatchWorthDocument = new TypedDocumentString(`
    subscription WatchWorth($accounts: [String!]) {
  equity(accounts: $accounts) {
    account {
      name
    }
    point {
      time
    }
    gap {
      endTime
    }
  }
}
    `) as unknown as TypedDocumentString<WatchWorthSubscription, WatchWorthSubscriptionVariables>;
export const ReadPerformanceDocument = new TypedDocumentString(`
    query ReadPerformance($account: String, $one: Boolean!, $from: DateTime!, $to: DateTime, $by: PerformanceGroup!) {
  account(name: $account) @include(if: $one) {
    performance(from: $from, to: $to, by: $by) {
      ...PerformanceRow
    }
  }
  performance(from: $from, to: $to, by: $by) @skip(if: $one) {
    ...PerformanceRow
  }
}
    fragment PerformanceRow on Performance {
  account {
    name
  }
  category
  symbol
  startTime
  endTime
  equityAtStart
  equityAtEnd
  change {
    total
    flows
    deposits
    withdrawals
    transfers
    loans
    earn
    trades
    fees
    funding
    interest
    other
    unrealised
    revaluation
    rounding
    unexplained
  }
  timeWeightedReturn {
    value
    reason
  }
  moneyWeightedReturn {
    value
    reason
  }
  maxDrawdown {
    value
    reason
  }
  longestDrawdownSeconds
  volatility {
    value
    reason
  }
  sharpe {
    value
    reason
  }
  sortino {
    value
    reason
  }
  calmar {
    value
    reason
  }
  realised
  fees
  funding
  closings
  winRate {
    value
    reason
  }
  profitFactor {
    value
    reason
  }
  expectancy {
    value
    reason
  }
  missingAccounts {
    name
  }
}`) as unknown as TypedDocumentString<ReadPerformanceQuery, ReadPerformanceQueryVariables>;
export const ReadCalendarDocument = new TypedDocumentString(`
    query ReadCalendar($account: String, $one: Boolean!, $from: DateTime!, $to: DateTime) {
  account(name: $account) @include(if: $one) {
    profitCalendar(from: $from, to: $to) {
      ...DayProfit
    }
  }
  profitCalendar(from: $from, to: $to) @skip(if: $one) {
    ...DayProfit
  }
}
    fragment DayProfit on ProfitDay {
  startTime
  profit
  flows
  equity
  dailyReturn {
    value
    reason
  }
  missingAccounts {
    name
  }
}`) as unknown as TypedDocumentString<ReadCalendarQuery, ReadCalendarQueryVariables>;
export const ReadRebuildingDocument = new TypedDocumentString(`
    query ReadRebuilding($account: String) {
  account(name: $account) {
    historyBackfill {
      status
      share
      reachedTime
    }
  }
}
    `) as unknown as TypedDocumentString<ReadRebuildingQuery, ReadRebuildingQueryVariables>;
export const ReadReconciliationDocument = new TypedDocumentString(`
    query ReadReconciliation($account: String, $from: DateTime!, $to: DateTime) {
  account(name: $account) {
    reconciliation(from: $from, to: $to) {
      startTime
      balances {
        checked
        reason
      }
      fills {
        checked
        reason
      }
      journal {
        checked
        reason
      }
      differenceCount
      differences {
        kind
        pool
        coin
        category
        symbol
        orderId
        key
        expected
        found
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ReadReconciliationQuery, ReadReconciliationQueryVariables>;
export const FillsDocument = new TypedDocumentString(`
    query Fills($account: String, $category: ProductCategoryInput!, $after: String) {
  account(name: $account) {
    fills(category: $category, first: 100, after: $after) {
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        id
        category
        symbol
        side
        posSide
        tradeSide
        orderType
        tradeScope
        price
        qty
        value
        realisedPnl
        fees {
          amount
          coin
        }
        createdTime
        execId
        orderId
        clientOid
      }
    }
  }
}
    `) as unknown as TypedDocumentString<FillsQuery, FillsQueryVariables>;
export const OrderHistoryDocument = new TypedDocumentString(`
    query OrderHistory($account: String, $category: ProductCategoryInput!, $after: String) {
  account(name: $account) {
    orderHistory(category: $category, first: 100, after: $after) {
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        id
        orderId
        clientOid
        category
        symbol
        side
        posSide
        orderType
        timeInForce
        status
        price
        avgPrice
        qty
        quoteQty
        cumExecQty
        cumExecValue
        fees {
          amount
          coin
        }
        realisedPnl
        cancelReason
        execType
        tradeSide
        createdTime
        updatedTime
        instrument {
          baseCoin
          quoteCoin
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<OrderHistoryQuery, OrderHistoryQueryVariables>;
export const PositionHistoryDocument = new TypedDocumentString(`
    query PositionHistory($account: String, $category: FuturesCategoryInput!, $after: String) {
  account(name: $account) {
    positionHistory(category: $category, first: 100, after: $after) {
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        id
        category
        symbol
        positionId
        posSide
        marginCoin
        avgPrice
        avgClosePrice
        openedQty
        closedQty
        realisedPnl
        openFee
        closeFee
        netProfit
        totalFunding
        createdTime
        updatedTime
      }
    }
  }
}
    `) as unknown as TypedDocumentString<PositionHistoryQuery, PositionHistoryQueryVariables>;
export const PlanHistoryDocument = new TypedDocumentString(`
    query PlanHistory($account: String, $category: ProductCategoryInput!, $after: String) {
  account(name: $account) {
    planOrderHistory(category: $category, first: 100, after: $after) {
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        id
        category
        symbol
        orderId
        clientOid
        side
        posSide
        tradeSide
        planType
        status
        triggerPrice
        triggerBy
        executePrice
        qty
        createdTime
        updatedTime
      }
    }
  }
}
    `) as unknown as TypedDocumentString<PlanHistoryQuery, PlanHistoryQueryVariables>;
export const WatchFillsDocument = new TypedDocumentString(`
    subscription WatchFills($account: String) {
  fills(account: $account) {
    fills {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<WatchFillsSubscription, WatchFillsSubscriptionVariables>;
export const ClosedPositionsDocument = new TypedDocumentString(`
    query ClosedPositions($account: String) {
  account(name: $account) {
    usdt: positionHistory(category: USDT_FUTURES, first: 500) {
      ...ClosedOfCategory
    }
    usdc: positionHistory(category: USDC_FUTURES, first: 500) {
      ...ClosedOfCategory
    }
    coin: positionHistory(category: COIN_FUTURES, first: 500) {
      ...ClosedOfCategory
    }
  }
}
    fragment ClosedOfCategory on HistoricalPositionConnection {
  pageInfo {
    hasNextPage
  }
  nodes {
    netProfit
    avgClosePrice
    updatedTime
  }
}`) as unknown as TypedDocumentString<ClosedPositionsQuery, ClosedPositionsQueryVariables>;
export const WatchBookDocument = new TypedDocumentString(`
    subscription WatchBook($category: ProductCategoryInput!, $symbol: String!) {
  orderBook(
    category: $category
    symbol: $symbol
    depth: L50
    pace: {mode: LATEST, everyMs: 100}
  ) {
    orderBook {
      bids {
        price
        qty
      }
      asks {
        price
        qty
      }
      isStale
    }
  }
}
    `) as unknown as TypedDocumentString<WatchBookSubscription, WatchBookSubscriptionVariables>;
export const TiersOfDocument = new TypedDocumentString(`
    query TiersOf($category: FuturesCategoryInput!, $symbol: String!) {
  positionTiers(category: $category, symbol: $symbol) {
    minValue
    maxValue
    maintenanceMarginRate
  }
}
    `) as unknown as TypedDocumentString<TiersOfQuery, TiersOfQueryVariables>;
export const FundingHistoryDocument = new TypedDocumentString(`
    query FundingHistory($category: FuturesCategoryInput!, $symbol: String!) {
  fundingHistory(category: $category, symbol: $symbol, first: 100) {
    fundingRate
    time
  }
}
    `) as unknown as TypedDocumentString<FundingHistoryQuery, FundingHistoryQueryVariables>;
export const FuturesSettingsOfDocument = new TypedDocumentString(`
    query FuturesSettingsOf($account: String, $category: FuturesCategoryInput!, $symbol: String!) {
  account(name: $account) {
    futuresSettings(category: $category, symbol: $symbol) {
      symbol
      holdMode
      marginMode
      leverage
      crossedMarginLeverage
      isolatedLongLeverage
      isolatedShortLeverage
    }
  }
}
    `) as unknown as TypedDocumentString<FuturesSettingsOfQuery, FuturesSettingsOfQueryVariables>;
export const InstrumentTermsDocument = new TypedDocumentString(`
    query InstrumentTerms($category: ProductCategoryInput!, $symbol: String!) {
  instrument(category: $category, symbol: $symbol) {
    id
    symbol
    baseCoin
    quoteCoin
    status
    precision {
      price
      quantity
      quote
    }
    orderSize {
      min
      max
      maxMarket
      minAmount
      step
    }
    leverage {
      min
      max
    }
    fees {
      maker
      taker
    }
    fundInterval
    supportMarginCoins
  }
}
    `) as unknown as TypedDocumentString<InstrumentTermsQuery, InstrumentTermsQueryVariables>;
export const MarketsOfDocument = new TypedDocumentString(`
    query MarketsOf($category: ProductCategoryInput!) {
  tickers(category: $category) {
    symbol
    lastPrice
    change24h
    turnover24h
    fundingRate
  }
}
    `) as unknown as TypedDocumentString<MarketsOfQuery, MarketsOfQueryVariables>;
export const WatchTradesDocument = new TypedDocumentString(`
    subscription WatchTrades($category: ProductCategoryInput!, $symbol: String!) {
  trades(category: $category, symbol: $symbol) {
    trades {
      execId
      price
      qty
      side
      time
    }
  }
}
    `) as unknown as TypedDocumentString<WatchTradesSubscription, WatchTradesSubscriptionVariables>;
export const WatchTickerDocument = new TypedDocumentString(`
    subscription WatchTicker($category: ProductCategoryInput!, $symbol: String!) {
  ticker(category: $category, symbol: $symbol, pace: {mode: LATEST, everyMs: 200}) {
    ticker {
      id
      lastPrice
      ask1Price
      bid1Price
      change24h
      highPrice24h
      lowPrice24h
      volume24h
      turnover24h
      markPrice
      indexPrice
      fundingRate
      nextFundingTime
      openInterest
    }
  }
}
    `) as unknown as TypedDocumentString<WatchTickerSubscription, WatchTickerSubscriptionVariables>;
export const MarketsDocument = new TypedDocumentString(`
    query Markets {
  spot: instruments(category: SPOT) {
    symbol
    category
  }
  usdt: instruments(category: USDT_FUTURES) {
    symbol
    category
  }
  usdc: instruments(category: USDC_FUTURES) {
    symbol
    category
  }
  coin: instruments(category: COIN_FUTURES) {
    symbol
    category
  }
}
    `) as unknown as TypedDocumentString<MarketsQuery, MarketsQueryVariables>;