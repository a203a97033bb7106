import type { GraphError } from "@exchange-graph/client";
import { useEffect, useState } from "react";
import type { ResultOf } from "../../graph/document.js";
import { isUnanswered } from "../../graph/fault.js";
import type { PlaceOrdersInput, PlacePlanOrderInput } from "../../graph/generated/graphql.js";
import { PlaceMany, PlaceOrder, PlacePlan } from "../../graph/mutations.js";
import { line } from "../../graph/session.js";
import { rehearse } from "../../graph/writes.js";
import { useHalts } from "../../live/halts.js";
import { now } from "../../state/clock.js";
import { useStore } from "../../state/store.js";
import { type Preview, Previews } from "./previews.js";
import type { orderInput } from "./ticketInput.js";

export type Estimate = NonNullable<ResultOf<typeof PlaceOrder>["placeOrder"]["estimate"]>;

/** The request of a ticket. */
export type Input =
  | { readonly as: "order"; readonly input: NonNullable<ReturnType<typeof orderInput>> }
  | { readonly as: "plan"; readonly input: PlacePlanOrderInput }
  | { readonly as: "many"; readonly input: PlaceOrdersInput };

/** What a dry run depends on besides the order. */
interface Circumstances {
  /** What the largest possible order depends on. */
  readonly scope: string;
  /** The price of the market, as of its last large move. */
  readonly level?: string | undefined;
  /** Whether the order is the user's own: its costs are shown. */
  readonly isTyped: boolean;
}

/** An order to be checked. */
interface Checked extends Circumstances {
  readonly request: Input;
  /** When trading of its account was halted; undefined if it is not. */
  readonly halt: string | undefined;
  /** Since when the line to the gateway is there, Unix ms. */
  readonly since: number;
}

interface Result {
  readonly estimate: Estimate | undefined;
  readonly errors: readonly GraphError[];
}

/** Estimated costs, the newest that there are. */
export interface Costs {
  readonly estimate: Estimate;
  /** Whether they are those of the current order. */
  readonly isCurrent: boolean;
  /** Time of the dry run, Unix ms. */
  readonly at: number;
}

/** The largest order that is possible, for what it depends on. */
export interface Most extends Pick<Estimate, "maxQty" | "maxQuoteQty"> {
  readonly scope: string;
}

/** What several orders together do not have. */
const OF_MANY = { feeRate: null, isAffordable: null, leverage: null, maxQty: null, maxQuoteQty: null };

async function check({ request }: Checked): Promise<Result> {
  if (request.as === "many") {
    const { payload, errors } = await rehearse(PlaceMany, request.input);
    const funds = payload?.estimate?.funds;
    // The orders of one market draw on the same funds.
    return { estimate: funds?.length === 1 && funds[0] ? { ...OF_MANY, ...funds[0] } : undefined, errors };
  }
  const { payload, errors } =
    request.as === "order" ? await rehearse(PlaceOrder, request.input) : await rehearse(PlacePlan, request.input);
  return { estimate: payload?.estimate ?? undefined, errors };
}

export const after = (ms: number, task: () => void) => {
  const timer = setTimeout(task, ms);
  return () => clearTimeout(timer);
};

/**
 * Checks an order by dry runs of the gateway while it is composed. The last costs stay until there are new ones, but not beyond the
 * beginning or end of a halt. Then, after a large move of the price, and as soon as a lost line to the gateway is back, the order is
 * checked at once. A lost line is no error of the order. `onMost` is called with the largest possible order of each dry run, which
 * may be of an order that nobody has typed.
 */
export function usePreview(request: Input | undefined, circumstances: Circumstances, onMost: (most: Most) => void) {
  const [last, setLast] = useState<Preview<Checked, Result>>();
  const [costs, setCosts] = useState<{ readonly of: Checked; readonly estimate: Estimate; readonly at: number }>();
  const account = request?.input.account;
  const halt = useHalts().find(({ name }) => name === account)?.halt?.startTime;
  const [previews] = useState(
    () =>
      new Previews<Checked, Result>(
        check,
        (preview) => {
          const { estimate } = preview.result;
          setLast(preview);
          if (estimate === undefined) return;
          if (preview.input.isTyped) setCosts({ of: preview.input, estimate, at: preview.at });
          onMost({ scope: preview.input.scope, maxQty: estimate.maxQty, maxQuoteQty: estimate.maxQuoteQty });
        },
        { now, after },
      ),
  );
  const key = JSON.stringify(request);
  const { state, since } = useStore(line);
  // Equal requests are the same request.
  useEffect(() => previews.want(request && state !== "lost" ? { request, halt, since, ...circumstances } : undefined));
  useEffect(() => () => previews.close(), [previews]);
  const isOfNow = (checked: Checked) => JSON.stringify(checked.request) === key;
  return {
    costs:
      costs !== undefined && costs.of.halt === halt
        ? { estimate: costs.estimate, at: costs.at, isCurrent: isOfNow(costs.of) && costs.of.level === circumstances.level }
        : undefined,
    errors:
      last !== undefined && last.input.halt === halt && isOfNow(last.input)
        ? last.result.errors.filter((error) => !isUnanswered(error) || last.input.since === since)
        : [],
  };
}
