import type { Endpoint } from "@exchange-graph/contract/endpoint";
import { inCapitals } from "@exchange-graph/contract/letterCase";
import type { ParameterSet } from "@exchange-graph/contract/parameter";
import { classicPlanOrderHistory, planOrderHistory } from "@exchange-graph/contract/planReads";
import { growingLru } from "../../errors/index.js";
import type { Call, LiveAnswer, LiveAnswers } from "../../reads/index.js";
import { isOf } from "./liveEndpoints.js";

/** The part of the open trigger orders from which a list of ended ones grows: the end of one is pushed. Undefined for other lists. */
function partOf<P extends ParameterSet, D>(call: Call<P, D>): string | undefined {
  if (isOf(call, planOrderHistory)) return `${call.values.category} ${call.values.type ?? "tpsl"}`;
  if (isOf(call, classicPlanOrderHistory)) return `${inCapitals(call.values.productType)} ${call.values.planType}`;
  return undefined;
}

/** An end may be pushed before the order is listed. So a list is kept only if it is read this long after the last change. */
const SETTLED_MS = 5_000;
/** Maximum age of a kept list: a lost push shows in the next reading. */
const KEPT_MS = 60_000;
const MAX_LISTS = 2_000;

/**
 * Lists of ended trigger orders, kept while the proven state from which they grow is unchanged. An account has a list for each
 * category and kind, most of which stay empty.
 */
export class EndedLists implements Pick<LiveAnswers, "answer" | "keeping"> {
  readonly #kept = growingLru<{ readonly version: object; readonly value: unknown; readonly at: number }>(MAX_LISTS);
  /** When each version was first seen, Unix ms. */
  readonly #seen = new WeakMap<object, number>();

  constructor(
    /** Changes with the state that the list grows from; undefined while that is not proven. */
    private readonly versionOf: (account: string, mode: Endpoint["serves"], part: string) => object | undefined,
    /** The exchange's time, Unix ms. */
    private readonly now: () => number,
  ) {}

  answer<P extends ParameterSet, D>(call: Call<P, D>): LiveAnswer | undefined {
    const version = this.#version(call);
    const kept = version && this.#kept.get(call.key);
    if (kept === undefined || kept.version !== version || this.now() - kept.at > KEPT_MS) return undefined;
    const holds = (): boolean => this.#version(call) === version;
    return { value: kept.value, ageMs: 0, comparedAt: kept.at, validity: { holds, isDropped: () => !holds() } };
  }

  keeping<P extends ParameterSet, D>(call: Call<P, D>): ((value: D) => void) | undefined {
    const version = this.#version(call);
    if (version === undefined) return undefined;
    const at = this.now();
    const since = this.#seen.get(version) ?? at;
    this.#seen.set(version, since);
    if (at - since < SETTLED_MS) return undefined;
    return (value) => {
      if (this.#version(call) === version) this.#kept.set(call.key, { version, value, at });
    };
  }

  #version<P extends ParameterSet, D>(call: Call<P, D>): object | undefined {
    const part = partOf(call);
    if (part === undefined || call.account === undefined) return undefined;
    return this.versionOf(call.account.name, call.endpoint.serves, part);
  }
}
