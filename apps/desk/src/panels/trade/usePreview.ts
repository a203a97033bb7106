import type { GraphError } from "@exchange-graph/client";
import { useEffect, useState } from "react";
import type { ResultOf } from "../../graph/document.js";
import { PlaceOrder, PlaceTpsl } from "../../graph/mutations.js";
import { rehearse } from "../../graph/writes.js";
import type { orderInput, tpslInput } from "./ticketInput.js";

export type Estimate = NonNullable<ResultOf<typeof PlaceOrder>["placeOrder"]["estimate"]>;

/** The request of a ticket. */
export type Input =
  | { readonly as: "order"; readonly input: NonNullable<ReturnType<typeof orderInput>> }
  | { readonly as: "tpsl"; readonly input: NonNullable<ReturnType<typeof tpslInput>> };

export interface Preview {
  readonly of: string;
  readonly estimate: Estimate | undefined;
  readonly errors: readonly GraphError[];
}

/** Pause in typing before a preview is requested, ms. */
const PAUSE_MS = 300;

/** The gateway's validation of an order before it is sent: a dry run, after a pause in typing. */
export function usePreview(input: Input | undefined): Preview | undefined {
  const key = JSON.stringify(input);
  const [preview, setPreview] = useState<Preview>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: equal inputs are the same input
  useEffect(() => {
    if (input === undefined) return undefined;
    let isLate = false;
    const timer = setTimeout(async () => {
      const found = input.as === "order" ? await rehearse(PlaceOrder, input.input) : await rehearse(PlaceTpsl, input.input);
      if (!isLate) setPreview({ of: key, estimate: found.payload?.estimate ?? undefined, errors: found.errors });
    }, PAUSE_MS);
    return () => {
      isLate = true;
      clearTimeout(timer);
    };
  }, [key]);
  return input === undefined ? undefined : preview;
}
