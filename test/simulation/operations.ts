/** The operations of clients and operators. */

const PAYLOAD = "outcome userErrors { code message field }";

export const OPERATIONS = {
  placeOrder: `mutation ($input: PlaceOrderInput!) { result: placeOrder(input: $input) { ${PAYLOAD} isUnjournaled orderId } }`,
  modifyOrder: `mutation ($input: ModifyOrderInput!) { result: modifyOrder(input: $input) { ${PAYLOAD} orderId } }`,
  cancelOrder: `mutation ($input: CancelOrderInput!) { result: cancelOrder(input: $input) { ${PAYLOAD} } }`,
  placeOrders: `mutation ($input: PlaceOrdersInput!) {
    result: placeOrders(input: $input) { ${PAYLOAD} orders { ${PAYLOAD} isUnjournaled orderId } }
  }`,
  cancelOrders: `mutation ($input: CancelOrdersInput!) {
    result: cancelOrders(input: $input) { ${PAYLOAD} orders { ${PAYLOAD} orderId } }
  }`,
  cancelAllOrders: `mutation ($input: CancelAllOrdersInput!) { result: cancelAllOrders(input: $input) { ${PAYLOAD} } }`,
  closePositions: `mutation ($input: ClosePositionsInput!) { result: closePositions(input: $input) { ${PAYLOAD} } }`,
  placeTpslOrder: `mutation ($input: PlaceTpslOrderInput!) { result: placeTpslOrder(input: $input) { ${PAYLOAD} orderId } }`,
  placePlanOrder: `mutation ($input: PlacePlanOrderInput!) { result: placePlanOrder(input: $input) { ${PAYLOAD} isUnjournaled orderId } }`,
  modifyPlanOrder: `mutation ($input: ModifyPlanOrderInput!) { result: modifyPlanOrder(input: $input) { ${PAYLOAD} orderId } }`,
  setLeverage: `mutation ($input: SetLeverageInput!) { result: setLeverage(input: $input) { ${PAYLOAD} } }`,
  adjustPositionMargin: `mutation ($input: AdjustPositionMarginInput!) { result: adjustPositionMargin(input: $input) { ${PAYLOAD} } }`,
  setMarginMode: `mutation ($input: SetMarginModeInput!) { result: setMarginMode(input: $input) { ${PAYLOAD} } }`,
  setHoldMode: `mutation ($input: SetHoldModeInput!) { result: setHoldMode(input: $input) { ${PAYLOAD} } }`,
  convert: `mutation ($input: ConvertInput!) { result: convert(input: $input) { ${PAYLOAD} } }`,
  withdrawFromSubAccount: `mutation ($input: WithdrawFromSubAccountInput!) {
    result: withdrawFromSubAccount(input: $input) { ${PAYLOAD} isUnjournaled orderId clientOid }
  }`,
  armDeadMansSwitch: `mutation ($input: ArmDeadMansSwitchInput!) { result: armDeadMansSwitch(input: $input) { ${PAYLOAD} } }`,
  disarmDeadMansSwitch: `mutation ($input: DisarmDeadMansSwitchInput!) { result: disarmDeadMansSwitch(input: $input) { ${PAYLOAD} } }`,
  haltTrading: `mutation ($input: HaltTradingInput!) {
    result: haltTrading(input: $input) { ${PAYLOAD} isDurable cancelFailures { orderId message } }
  }`,
  resumeTrading: `mutation ($input: ResumeTradingInput!) { result: resumeTrading(input: $input) { ${PAYLOAD} } }`,
} as const;
export type OperationName = keyof typeof OPERATIONS;

export const QUOTE = `query ($account: String!, $fromCoin: String!, $toCoin: String!, $fromAmount: Decimal!) {
  account(name: $account) {
    convertQuote(fromCoin: $fromCoin, toCoin: $toCoin, amount: { from: $fromAmount }) { traceId fromAmount toAmount price }
  }
}`;

/** The payload of a mutation. */
export interface Payload {
  readonly outcome: "ACCEPTED" | "REJECTED" | "UNKNOWN" | null;
  readonly isUnjournaled?: boolean;
  /** Of a halt: false if it could not be stored, and applies at the gateway that was asked. */
  readonly isDurable?: boolean;
  readonly userErrors: readonly { readonly code: string; readonly message: string; readonly field: readonly string[] | null }[];
  readonly orderId?: string | null;
  /** Of a batch. */
  readonly orders?: readonly Payload[];
  readonly cancelFailures?: readonly { readonly orderId: string | null; readonly message: string }[];
}
