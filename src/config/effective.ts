import type { Environment } from "./environment.js";
import { isNeverShown, VARIABLES, variables } from "./variables.js";

/** Variables that never have a secret once they have passed their rules. */
const SHOWN_IF_VALID = /^EXCHANGE_(?:BASE|WS)_URL$|_FILE$/;

/**
 * The valid settings as they take effect, one line each: those that are set, and the defaults of the others. Secrets, and what may
 * contain one, are hidden.
 */
export function effectiveSettings(env: Environment["variables"]): readonly string[] {
  const values = Object.fromEntries(VARIABLES.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
  const defaults = new Map<string, unknown>(Object.entries(variables.parse(values)));
  return VARIABLES.flatMap((name) => {
    const value = values[name];
    if (value !== undefined) return [`${name}=${isNeverShown(name) && !SHOWN_IF_VALID.test(name) ? "(hidden)" : value}`];
    const usual = defaults.get(name);
    return usual === undefined ? [] : [`${name}=${String(usual)} (default)`];
  });
}
