import { useState } from "react";
import { type AnyVariables, stringifyVariables } from "urql";
import { Store, useStore } from "../state/store.js";
import type { Document } from "./document.js";
import type { Feed } from "./feed.js";
import { useLive } from "./useLive.js";

interface Latest<Value> {
  /** Undefined until the first event for these variables. */
  readonly value: Value | undefined;
  readonly feed: Feed;
}

/** What each event of a subscription has completely, while the component is mounted: rendered at most once a frame. */
export function useLatest<Result, Variables extends object & AnyVariables, Value>(
  document: Document<Result, Variables>,
  variables: Variables,
  valueOf: (data: Result) => Value,
): Latest<Value> {
  const of = stringifyVariables(variables);
  const [store] = useState(() => new Store<{ readonly of: string; readonly value: Value } | undefined>(undefined));
  const feed = useLive(document, variables, (data) => store.set({ of, value: valueOf(data) }));
  const found = useStore(store);
  return { value: found?.of === of ? found.value : undefined, feed };
}
