/** A level of one side of an order book, or several that are merged. */
export interface Level {
  readonly price: string;
  readonly qty: string;
  /** Cumulative quantity at this price and better ones, and its value in quote coin. */
  readonly total: string;
  readonly worth: string;
}
