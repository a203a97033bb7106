import type { GraphError } from "@exchange-graph/client";

/** The error of one input field. */
export const errorAt = (errors: readonly GraphError[], field: string): string | undefined =>
  errors.find((error) => error.field === field)?.message;

/** Errors that belong to no visible field. */
export function Errors({ errors, shown }: { readonly errors: readonly GraphError[]; readonly shown: readonly string[] }) {
  const others = errors.filter(({ field }) => field === undefined || !shown.includes(field));
  if (others.length === 0) return null;
  return (
    <ul className="errors" role="alert">
      {others.map(({ codeRaw, message, field }) => (
        <li key={`${codeRaw}${field ?? ""}${message}`}>
          <b>{codeRaw}</b> {field !== undefined && <code>{field}</code>} {message}
        </li>
      ))}
    </ul>
  );
}
