/* eslint-disable */
import * as types from './graphql.js';



/**
 * Map of all GraphQL operations in the project.
 *
 * This map has several performance disadvantages:
 * 1. It is not tree-shakeable, so it will include all operations in the project.
 * 2. It is not minifiable, so the string of a GraphQL query will be multiple times inside the bundle.
 * 3. It does not support dead code elimination, so it will add unused operations.
 *
 * Therefore it is highly recommended to use the babel or swc plugin for production.
 * Learn more about it here: https://the-guild.dev/graphql/codegen/plugins/presets/preset-client#reducing-bundle-size
 */
type Documents = {
    "\n  mutation PlaceOrder($input: PlaceOrderInput!) {\n    placeOrder(input: $input) {\n      outcome\n      orderId\n      estimate {\n        price\n        cost\n        costCoin\n        fee\n        feeRate\n        margin\n        required\n        requiredCoin\n        available\n        isAffordable\n        leverage\n        maxQty\n        maxQuoteQty\n      }\n      userErrors {\n        code\n        message\n        field\n        retryable\n      }\n      journalEntry {\n        id\n      }\n    }\n  }\n": typeof types.PlaceOrderDocument,
    "\n  mutation PlaceTpsl($input: PlaceTpslOrderInput!) {\n    placeTpslOrder(input: $input) {\n      outcome\n      orderId\n      estimate {\n        price\n        cost\n        costCoin\n        fee\n        feeRate\n        margin\n        required\n        requiredCoin\n        available\n        isAffordable\n        leverage\n        maxQty\n        maxQuoteQty\n      }\n      userErrors {\n        code\n        message\n        field\n        retryable\n      }\n      journalEntry {\n        id\n      }\n    }\n  }\n": typeof types.PlaceTpslDocument,
    "\n  mutation ModifyOrder($input: ModifyOrderInput!) {\n    modifyOrder(input: $input) {\n      outcome\n      userErrors {\n        code\n        message\n        field\n        retryable\n      }\n      journalEntry {\n        id\n      }\n    }\n  }\n": typeof types.ModifyOrderDocument,
    "\n  mutation CancelOrder($input: CancelOrderInput!) {\n    cancelOrder(input: $input) {\n      outcome\n      userErrors {\n        code\n        message\n        field\n        retryable\n      }\n      journalEntry {\n        id\n      }\n    }\n  }\n": typeof types.CancelOrderDocument,
    "\n  mutation AdjustMargin($input: AdjustPositionMarginInput!) {\n    adjustPositionMargin(input: $input) {\n      outcome\n      userErrors {\n        code\n        message\n        field\n        retryable\n      }\n      journalEntry {\n        id\n      }\n    }\n  }\n": typeof types.AdjustMarginDocument,
    "\n  mutation SetLeverage($input: SetLeverageInput!) {\n    setLeverage(input: $input) {\n      outcome\n      userErrors {\n        code\n        message\n        field\n        retryable\n      }\n      journalEntry {\n        id\n      }\n    }\n  }\n": typeof types.SetLeverageDocument,
    "\n  mutation SetMarginMode($input: SetMarginModeInput!) {\n    setMarginMode(input: $input) {\n      outcome\n      userErrors {\n        code\n        message\n        field\n        retryable\n      }\n      journalEntry {\n        id\n      }\n    }\n  }\n": typeof types.SetMarginModeDocument,
    "\n  mutation SetHoldMode($input: SetHoldModeInput!) {\n    setHoldMode(input: $input) {\n      outcome\n      userErrors {\n        code\n        message\n        field\n        retryable\n      }\n      journalEntry {\n        id\n      }\n    }\n  }\n": typeof types.SetHoldModeDocument,
    "\n  query Start {\n    viewer {\n      name\n      isAnonymous\n      expiresTime\n      scopes {\n        scope\n        accounts\n      }\n      environment {\n        name\n        kind\n      }\n    }\n    accounts {\n      name\n      mode\n    }\n  }\n": typeof types.StartDocument,
    "\n  query Equity($account: String) {\n    account(name: $account) {\n      totalEquity\n    }\n  }\n": typeof types.EquityDocument,
    "\n  subscription WatchOrders($account: String) {\n    orders(account: $account, pace: { mode: LATEST, everyMs: 250 }) {\n      id\n      orderId\n      clientOid\n      category\n      symbol\n      side\n      posSide\n      orderType\n      orderStatus\n      timeInForce\n      price\n      qty\n      quoteQty\n      cumExecQty\n      avgPrice\n      reduceOnly\n      tpslType\n      triggerPrice\n      takeProfit {\n        triggerPrice\n      }\n      stopLoss {\n        triggerPrice\n      }\n      createdTime\n      instrument {\n        precision {\n          price\n          quantity\n        }\n      }\n    }\n  }\n": typeof types.WatchOrdersDocument,
    "\n  subscription WatchPlanOrders($account: String) {\n    planOrders(account: $account, pace: { mode: LATEST, everyMs: 250 }) {\n      id\n      orderId\n      category\n      symbol\n      side\n      posSide\n      planType\n      planStatus\n      triggerPrice\n      triggerBy\n      executePrice\n      callbackRate\n      qty\n      takeProfit {\n        triggerPrice\n      }\n      stopLoss {\n        triggerPrice\n      }\n      createdTime\n      instrument {\n        precision {\n          price\n          quantity\n        }\n      }\n    }\n  }\n": typeof types.WatchPlanOrdersDocument,
    "\n  subscription WatchPositions($account: String) {\n    positions(account: $account, pace: { mode: LATEST, everyMs: 500 }) {\n      id\n      category\n      symbol\n      posSide\n      holdMode\n      marginMode\n      marginCoin\n      leverage\n      qty\n      availableQty\n      avgPrice\n      breakEvenPrice\n      markPrice\n      liquidationPrice\n      unrealisedPnl\n      realisedPnl\n      profitRate\n      margin\n      marginRatio\n      notional\n      takeProfit {\n        triggerPrice\n      }\n      stopLoss {\n        triggerPrice\n      }\n      instrument {\n        baseCoin\n        quoteCoin\n        precision {\n          price\n          quantity\n        }\n        orderSize {\n          min\n          step\n        }\n      }\n    }\n  }\n": typeof types.WatchPositionsDocument,
    "\n  query Fills($account: String, $category: ProductCategoryInput!) {\n    account(name: $account) {\n      fills(category: $category, first: 200) {\n        nodes {\n          id\n          category\n          symbol\n          side\n          tradeSide\n          tradeScope\n          price\n          qty\n          value\n          realisedPnl\n          fees {\n            amount\n            coin\n          }\n          createdTime\n          orderId\n        }\n      }\n    }\n  }\n": typeof types.FillsDocument,
    "\n  query OrderHistory($account: String, $category: ProductCategoryInput!) {\n    account(name: $account) {\n      orderHistory(category: $category, first: 200) {\n        nodes {\n          id\n          orderId\n          category\n          symbol\n          side\n          orderType\n          orderStatus\n          price\n          avgPrice\n          qty\n          cumExecQty\n          realisedPnl\n          cancelReason\n          createdTime\n          updatedTime\n        }\n      }\n    }\n  }\n": typeof types.OrderHistoryDocument,
    "\n  query PositionHistory($account: String, $category: FuturesCategoryInput!) {\n    account(name: $account) {\n      positionHistory(category: $category, first: 200) {\n        nodes {\n          id\n          category\n          symbol\n          posSide\n          marginCoin\n          avgPrice\n          avgClosePrice\n          closedQty\n          realisedPnl\n          netProfit\n          totalFunding\n          createdTime\n          updatedTime\n        }\n      }\n    }\n  }\n": typeof types.PositionHistoryDocument,
    "\n  subscription WatchFills($account: String) {\n    fills(account: $account) {\n      id\n    }\n  }\n": typeof types.WatchFillsDocument,
    "\n  query Markets {\n    spot: instruments(category: SPOT) {\n      symbol\n      category\n    }\n    usdt: instruments(category: USDT_FUTURES) {\n      symbol\n      category\n    }\n    usdc: instruments(category: USDC_FUTURES) {\n      symbol\n      category\n    }\n    coin: instruments(category: COIN_FUTURES) {\n      symbol\n      category\n    }\n  }\n": typeof types.MarketsDocument,
};
const documents: Documents = {
    "\n  mutation PlaceOrder($input: PlaceOrderInput!) {\n    placeOrder(input: $input) {\n      outcome\n      orderId\n      estimate {\n        price\n        cost\n        costCoin\n        fee\n        feeRate\n        margin\n        required\n        requiredCoin\n        available\n        isAffordable\n        leverage\n        maxQty\n        maxQuoteQty\n      }\n      userErrors {\n        code\n        message\n        field\n        retryable\n      }\n      journalEntry {\n        id\n      }\n    }\n  }\n": types.PlaceOrderDocument,
    "\n  mutation PlaceTpsl($input: PlaceTpslOrderInput!) {\n    placeTpslOrder(input: $input) {\n      outcome\n      orderId\n      estimate {\n        price\n        cost\n        costCoin\n        fee\n        feeRate\n        margin\n        required\n        requiredCoin\n        available\n        isAffordable\n        leverage\n        maxQty\n        maxQuoteQty\n      }\n      userErrors {\n        code\n        message\n        field\n        retryable\n      }\n      journalEntry {\n        id\n      }\n    }\n  }\n": types.PlaceTpslDocument,
    "\n  mutation ModifyOrder($input: ModifyOrderInput!) {\n    modifyOrder(input: $input) {\n      outcome\n      userErrors {\n        code\n        message\n        field\n        retryable\n      }\n      journalEntry {\n        id\n      }\n    }\n  }\n": types.ModifyOrderDocument,
    "\n  mutation CancelOrder($input: CancelOrderInput!) {\n    cancelOrder(input: $input) {\n      outcome\n      userErrors {\n        code\n        message\n        field\n        retryable\n      }\n      journalEntry {\n        id\n      }\n    }\n  }\n": types.CancelOrderDocument,
    "\n  mutation AdjustMargin($input: AdjustPositionMarginInput!) {\n    adjustPositionMargin(input: $input) {\n      outcome\n      userErrors {\n        code\n        message\n        field\n        retryable\n      }\n      journalEntry {\n        id\n      }\n    }\n  }\n": types.AdjustMarginDocument,
    "\n  mutation SetLeverage($input: SetLeverageInput!) {\n    setLeverage(input: $input) {\n      outcome\n      userErrors {\n        code\n        message\n        field\n        retryable\n      }\n      journalEntry {\n        id\n      }\n    }\n  }\n": types.SetLeverageDocument,
    "\n  mutation SetMarginMode($input: SetMarginModeInput!) {\n    setMarginMode(input: $input) {\n      outcome\n      userErrors {\n        code\n        message\n        field\n        retryable\n      }\n      journalEntry {\n        id\n      }\n    }\n  }\n": types.SetMarginModeDocument,
    "\n  mutation SetHoldMode($input: SetHoldModeInput!) {\n    setHoldMode(input: $input) {\n      outcome\n      userErrors {\n        code\n        message\n        field\n        retryable\n      }\n      journalEntry {\n        id\n      }\n    }\n  }\n": types.SetHoldModeDocument,
    "\n  query Start {\n    viewer {\n      name\n      isAnonymous\n      expiresTime\n      scopes {\n        scope\n        accounts\n      }\n      environment {\n        name\n        kind\n      }\n    }\n    accounts {\n      name\n      mode\n    }\n  }\n": types.StartDocument,
    "\n  query Equity($account: String) {\n    account(name: $account) {\n      totalEquity\n    }\n  }\n": types.EquityDocument,
    "\n  subscription WatchOrders($account: String) {\n    orders(account: $account, pace: { mode: LATEST, everyMs: 250 }) {\n      id\n      orderId\n      clientOid\n      category\n      symbol\n      side\n      posSide\n      orderType\n      orderStatus\n      timeInForce\n      price\n      qty\n      quoteQty\n      cumExecQty\n      avgPrice\n      reduceOnly\n      tpslType\n      triggerPrice\n      takeProfit {\n        triggerPrice\n      }\n      stopLoss {\n        triggerPrice\n      }\n      createdTime\n      instrument {\n        precision {\n          price\n          quantity\n        }\n      }\n    }\n  }\n": types.WatchOrdersDocument,
    "\n  subscription WatchPlanOrders($account: String) {\n    planOrders(account: $account, pace: { mode: LATEST, everyMs: 250 }) {\n      id\n      orderId\n      category\n      symbol\n      side\n      posSide\n      planType\n      planStatus\n      triggerPrice\n      triggerBy\n      executePrice\n      callbackRate\n      qty\n      takeProfit {\n        triggerPrice\n      }\n      stopLoss {\n        triggerPrice\n      }\n      createdTime\n      instrument {\n        precision {\n          price\n          quantity\n        }\n      }\n    }\n  }\n": types.WatchPlanOrdersDocument,
    "\n  subscription WatchPositions($account: String) {\n    positions(account: $account, pace: { mode: LATEST, everyMs: 500 }) {\n      id\n      category\n      symbol\n      posSide\n      holdMode\n      marginMode\n      marginCoin\n      leverage\n      qty\n      availableQty\n      avgPrice\n      breakEvenPrice\n      markPrice\n      liquidationPrice\n      unrealisedPnl\n      realisedPnl\n      profitRate\n      margin\n      marginRatio\n      notional\n      takeProfit {\n        triggerPrice\n      }\n      stopLoss {\n        triggerPrice\n      }\n      instrument {\n        baseCoin\n        quoteCoin\n        precision {\n          price\n          quantity\n        }\n        orderSize {\n          min\n          step\n        }\n      }\n    }\n  }\n": types.WatchPositionsDocument,
    "\n  query Fills($account: String, $category: ProductCategoryInput!) {\n    account(name: $account) {\n      fills(category: $category, first: 200) {\n        nodes {\n          id\n          category\n          symbol\n          side\n          tradeSide\n          tradeScope\n          price\n          qty\n          value\n          realisedPnl\n          fees {\n            amount\n            coin\n          }\n          createdTime\n          orderId\n        }\n      }\n    }\n  }\n": types.FillsDocument,
    "\n  query OrderHistory($account: String, $category: ProductCategoryInput!) {\n    account(name: $account) {\n      orderHistory(category: $category, first: 200) {\n        nodes {\n          id\n          orderId\n          category\n          symbol\n          side\n          orderType\n          orderStatus\n          price\n          avgPrice\n          qty\n          cumExecQty\n          realisedPnl\n          cancelReason\n          createdTime\n          updatedTime\n        }\n      }\n    }\n  }\n": types.OrderHistoryDocument,
    "\n  query PositionHistory($account: String, $category: FuturesCategoryInput!) {\n    account(name: $account) {\n      positionHistory(category: $category, first: 200) {\n        nodes {\n          id\n          category\n          symbol\n          posSide\n          marginCoin\n          avgPrice\n          avgClosePrice\n          closedQty\n          realisedPnl\n          netProfit\n          totalFunding\n          createdTime\n          updatedTime\n        }\n      }\n    }\n  }\n": types.PositionHistoryDocument,
    "\n  subscription WatchFills($account: String) {\n    fills(account: $account) {\n      id\n    }\n  }\n": types.WatchFillsDocument,
    "\n  query Markets {\n    spot: instruments(category: SPOT) {\n      symbol\n      category\n    }\n    usdt: instruments(category: USDT_FUTURES) {\n      symbol\n      category\n    }\n    usdc: instruments(category: USDC_FUTURES) {\n      symbol\n      category\n    }\n    coin: instruments(category: COIN_FUTURES) {\n      symbol\n      category\n    }\n  }\n": types.MarketsDocument,
};

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation PlaceOrder($input: PlaceOrderInput!) {\n    placeOrder(input: $input) {\n      outcome\n      orderId\n      estimate {\n        price\n        cost\n        costCoin\n        fee\n        feeRate\n        margin\n        required\n        requiredCoin\n        available\n        isAffordable\n        leverage\n        maxQty\n        maxQuoteQty\n      }\n      userErrors {\n        code\n        message\n        field\n        retryable\n      }\n      journalEntry {\n        id\n      }\n    }\n  }\n"): typeof import('./graphql.js').PlaceOrderDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation PlaceTpsl($input: PlaceTpslOrderInput!) {\n    placeTpslOrder(input: $input) {\n      outcome\n      orderId\n      estimate {\n        price\n        cost\n        costCoin\n        fee\n        feeRate\n        margin\n        required\n        requiredCoin\n        available\n        isAffordable\n        leverage\n        maxQty\n        maxQuoteQty\n      }\n      userErrors {\n        code\n        message\n        field\n        retryable\n      }\n      journalEntry {\n        id\n      }\n    }\n  }\n"): typeof import('./graphql.js').PlaceTpslDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ModifyOrder($input: ModifyOrderInput!) {\n    modifyOrder(input: $input) {\n      outcome\n      userErrors {\n        code\n        message\n        field\n        retryable\n      }\n      journalEntry {\n        id\n      }\n    }\n  }\n"): typeof import('./graphql.js').ModifyOrderDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CancelOrder($input: CancelOrderInput!) {\n    cancelOrder(input: $input) {\n      outcome\n      userErrors {\n        code\n        message\n        field\n        retryable\n      }\n      journalEntry {\n        id\n      }\n    }\n  }\n"): typeof import('./graphql.js').CancelOrderDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation AdjustMargin($input: AdjustPositionMarginInput!) {\n    adjustPositionMargin(input: $input) {\n      outcome\n      userErrors {\n        code\n        message\n        field\n        retryable\n      }\n      journalEntry {\n        id\n      }\n    }\n  }\n"): typeof import('./graphql.js').AdjustMarginDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SetLeverage($input: SetLeverageInput!) {\n    setLeverage(input: $input) {\n      outcome\n      userErrors {\n        code\n        message\n        field\n        retryable\n      }\n      journalEntry {\n        id\n      }\n    }\n  }\n"): typeof import('./graphql.js').SetLeverageDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SetMarginMode($input: SetMarginModeInput!) {\n    setMarginMode(input: $input) {\n      outcome\n      userErrors {\n        code\n        message\n        field\n        retryable\n      }\n      journalEntry {\n        id\n      }\n    }\n  }\n"): typeof import('./graphql.js').SetMarginModeDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SetHoldMode($input: SetHoldModeInput!) {\n    setHoldMode(input: $input) {\n      outcome\n      userErrors {\n        code\n        message\n        field\n        retryable\n      }\n      journalEntry {\n        id\n      }\n    }\n  }\n"): typeof import('./graphql.js').SetHoldModeDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Start {\n    viewer {\n      name\n      isAnonymous\n      expiresTime\n      scopes {\n        scope\n        accounts\n      }\n      environment {\n        name\n        kind\n      }\n    }\n    accounts {\n      name\n      mode\n    }\n  }\n"): typeof import('./graphql.js').StartDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Equity($account: String) {\n    account(name: $account) {\n      totalEquity\n    }\n  }\n"): typeof import('./graphql.js').EquityDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription WatchOrders($account: String) {\n    orders(account: $account, pace: { mode: LATEST, everyMs: 250 }) {\n      id\n      orderId\n      clientOid\n      category\n      symbol\n      side\n      posSide\n      orderType\n      orderStatus\n      timeInForce\n      price\n      qty\n      quoteQty\n      cumExecQty\n      avgPrice\n      reduceOnly\n      tpslType\n      triggerPrice\n      takeProfit {\n        triggerPrice\n      }\n      stopLoss {\n        triggerPrice\n      }\n      createdTime\n      instrument {\n        precision {\n          price\n          quantity\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.js').WatchOrdersDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription WatchPlanOrders($account: String) {\n    planOrders(account: $account, pace: { mode: LATEST, everyMs: 250 }) {\n      id\n      orderId\n      category\n      symbol\n      side\n      posSide\n      planType\n      planStatus\n      triggerPrice\n      triggerBy\n      executePrice\n      callbackRate\n      qty\n      takeProfit {\n        triggerPrice\n      }\n      stopLoss {\n        triggerPrice\n      }\n      createdTime\n      instrument {\n        precision {\n          price\n          quantity\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.js').WatchPlanOrdersDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription WatchPositions($account: String) {\n    positions(account: $account, pace: { mode: LATEST, everyMs: 500 }) {\n      id\n      category\n      symbol\n      posSide\n      holdMode\n      marginMode\n      marginCoin\n      leverage\n      qty\n      availableQty\n      avgPrice\n      breakEvenPrice\n      markPrice\n      liquidationPrice\n      unrealisedPnl\n      realisedPnl\n      profitRate\n      margin\n      marginRatio\n      notional\n      takeProfit {\n        triggerPrice\n      }\n      stopLoss {\n        triggerPrice\n      }\n      instrument {\n        baseCoin\n        quoteCoin\n        precision {\n          price\n          quantity\n        }\n        orderSize {\n          min\n          step\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.js').WatchPositionsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Fills($account: String, $category: ProductCategoryInput!) {\n    account(name: $account) {\n      fills(category: $category, first: 200) {\n        nodes {\n          id\n          category\n          symbol\n          side\n          tradeSide\n          tradeScope\n          price\n          qty\n          value\n          realisedPnl\n          fees {\n            amount\n            coin\n          }\n          createdTime\n          orderId\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.js').FillsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query OrderHistory($account: String, $category: ProductCategoryInput!) {\n    account(name: $account) {\n      orderHistory(category: $category, first: 200) {\n        nodes {\n          id\n          orderId\n          category\n          symbol\n          side\n          orderType\n          orderStatus\n          price\n          avgPrice\n          qty\n          cumExecQty\n          realisedPnl\n          cancelReason\n          createdTime\n          updatedTime\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.js').OrderHistoryDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PositionHistory($account: String, $category: FuturesCategoryInput!) {\n    account(name: $account) {\n      positionHistory(category: $category, first: 200) {\n        nodes {\n          id\n          category\n          symbol\n          posSide\n          marginCoin\n          avgPrice\n          avgClosePrice\n          closedQty\n          realisedPnl\n          netProfit\n          totalFunding\n          createdTime\n          updatedTime\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.js').PositionHistoryDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription WatchFills($account: String) {\n    fills(account: $account) {\n      id\n    }\n  }\n"): typeof import('./graphql.js').WatchFillsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Markets {\n    spot: instruments(category: SPOT) {\n      symbol\n      category\n    }\n    usdt: instruments(category: USDT_FUTURES) {\n      symbol\n      category\n    }\n    usdc: instruments(category: USDC_FUTURES) {\n      symbol\n      category\n    }\n    coin: instruments(category: COIN_FUTURES) {\n      symbol\n      category\n    }\n  }\n"): typeof import('./graphql.js').MarketsDocument;


export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}
