import type { GraphError } from "@exchange-graph/client";
import form from "./form.module.css";

/** The input field of an error, as `takeProfit.triggerPrice`. */
const fieldOf = ({ field }: GraphError): string | undefined => field?.join(".");

/** The error of one input field. */
export const errorAt = (errors: readonly GraphError[], field: string): string | undefined =>
  errors.find((error) => fieldOf(error) === field)?.message;

/** Errors that belong to no visible field. */
export function Errors({ errors, shown }: { readonly errors: readonly GraphError[]; readonly shown: readonly string[] }) {
  const others = errors.filter((error) => !shown.includes(fieldOf(error) ?? ""));
  if (others.length === 0) return null;
  return (
    <ul className={form.errors} role="alert">
      {others.map((error) => (
        <li key={`${error.codeRaw}${fieldOf(error) ?? ""}${error.message}`}>
          <b>{error.codeRaw}</b> {error.field !== undefined && <code>{fieldOf(error)}</code>} {error.message}
        </li>
      ))}
    </ul>
  );
}
