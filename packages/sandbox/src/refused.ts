import { filled, type Refusal } from "@exchange-graph/contract/errors/refusal";

/** A call that the exchange refuses. Thrown at any level below the HTTP server, which converts it to an envelope. */
export class Refused extends Error {
  override readonly name = "Refused";

  /** `values` fill the placeholders of the refusal's text. */
  constructor(
    readonly refusal: Refusal,
    ...values: readonly string[]
  ) {
    super(filled(refusal.msg, ...values));
  }
}
