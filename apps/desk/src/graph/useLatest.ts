import { useSyncExternalStore } from "react";
import { useStore } from "../state/store.js";
import { useEqual } from "./equal.js";
import type { Feed } from "./feed.js";
import type { Latest } from "./latest.js";
import { line, session } from "./session.js";
import { feedOf, page } from "./useLive.js";

/** The last value of a subscription, while the component is mounted: rendered with the beat. Undefined variables: none. */
export function useLatest<Result, Variables extends object, Value>(
  latest: Latest<Result, Variables, Value>,
  variables: Variables | undefined,
): { readonly value: Value | undefined; readonly feed: Feed } {
  const { client } = useStore(session);
  const equal = useEqual(variables ?? {});
  const shared = variables === undefined ? undefined : latest.of(client, equal as Variables, page);
  const { value, state } = useSyncExternalStore(shared?.subscribe ?? nobody, shared?.shown ?? nothing);
  const request = { document: latest.document, variables: equal };
  return { value, feed: feedOf(request, state, useStore(line), shared?.restart ?? leave) };
}

const leave = (): void => undefined;
const nobody = () => leave;
const NOTHING = { value: undefined, state: undefined } as const;
const nothing = () => NOTHING;
