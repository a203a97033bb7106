import type { Endpoint } from "@exchange-graph/contract/endpoint";
import { inCapitals } from "@exchange-graph/contract/letterCase";
import type { ParameterSet, Values } from "@exchange-graph/contract/parameter";
import { classicPlanOrderHistory, planOrderHistory } from "@exchange-graph/contract/planReads";
import { growingLru } from "../../errors/index.js";
import type { Call, LiveAnswer, LiveAnswers } from "../../reads/index.js";
import type { LiveKind } from "../state/kinds.js";

/** A list of ended records of a kind. A row is added when a record of its part ends, which is pushed. */
interface EndedList {
  readonly name: string;
  readonly kind: LiveKind;
  partOf<P extends ParameterSet, D>(call: Call<P, D>): string | undefined;
}

function endedList<P extends ParameterSet, D>(
  endpoint: Endpoint<P, D>,
  kind: LiveKind,
  part: (values: Values<P>) => string,
): EndedList {
  const isOfIt = (call: { readonly endpoint: Endpoint }): call is Call<P, D> => call.endpoint.name === endpoint.name;
  return { name: endpoint.name, kind, partOf: (call) => (isOfIt(call) ? part(call.values) : undefined) };
}

const ENDED = new Map(
  [
    endedList(planOrderHistory, "planOrders", ({ category, type = "tpsl" }) => `${category} ${type}`),
    endedList(classicPlanOrderHistory, "planOrders", ({ productType, planType }) => `${inCapitals(productType)} ${planType}`),
  ].map((list) => [list.name, list] as const),
);

/** An end may be pushed before the record is listed. So a list is kept only if it is read this long after the last change. */
const SETTLED_MS = 5_000;
/** Maximum age of a kept list: a lost push shows in the next reading. */
const KEPT_MS = 60_000;
const MAX_LISTS = 2_000;

/**
 * Lists of ended records, kept while the proven state from which they grow is unchanged. An account has a list of trigger orders
 * for each category and kind, most of which stay empty.
 */
export class EndedLists implements Pick<LiveAnswers, "answer" | "keeping"> {
  readonly #kept = growingLru<{ readonly version: object; readonly value: unknown; readonly at: number }>(MAX_LISTS);
  /** When each version was first seen, Unix ms. */
  readonly #seen = new WeakMap<object, number>();

  constructor(
    /** Changes with the state that the list grows from; undefined while that is not proven. */
    private readonly versionOf: (
      account: string,
      list: EndedList,
      mode: Endpoint["serves"],
      part: string | undefined,
    ) => object | undefined,
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
    const list = ENDED.get(call.endpoint.name);
    if (list === undefined || call.account === undefined) return undefined;
    return this.versionOf(call.account.name, list, call.endpoint.serves, list.partOf(call));
  }
}
