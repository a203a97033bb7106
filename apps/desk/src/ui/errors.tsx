import type { GraphError } from "@exchange-graph/client";

/** What is wrong with one field of the input. */
export const errorAt = (errors: readonly GraphError[], field: string): string | undefined =>
  errors.find((error) => error.field === field)?.message;

/** Errors that stand at no field that is shown. */
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
