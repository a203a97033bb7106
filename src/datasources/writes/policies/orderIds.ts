/** How an order or a trigger order is named: by the exchange's identifier, or by the client's own. */
export interface OrderIds {
  readonly orderId?: string | undefined;
  readonly clientOid?: string | undefined;
}
