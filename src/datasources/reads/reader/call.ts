import type { Endpoint } from "@exchange-graph/contract/endpoint";
import type { ParameterSet, Values } from "@exchange-graph/contract/parameter";
import type { ExchangeAccount } from "../../calls/index.js";
import type { TopicOwner } from "../cache/cacheStore.js";

/** One call with validated values and its cache key. */
export interface Call<P extends ParameterSet, D> {
  readonly endpoint: Endpoint<P, D>;
  readonly values: Values<P>;
  readonly account: ExchangeAccount | undefined;
  readonly owner: TopicOwner;
  readonly topic: string;
  /** Equal calls have equal keys. */
  readonly key: string;
}
