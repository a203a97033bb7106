import { useMemo } from "react";
import type { AnyVariables } from "urql";

/** One value for all equal variables: a component makes them anew whenever it renders. They are JSON. */
export function useEqual<Variables extends AnyVariables>(variables: Variables): Variables {
  const text = JSON.stringify(variables ?? {});
  return useMemo((): Variables => JSON.parse(text), [text]);
}
