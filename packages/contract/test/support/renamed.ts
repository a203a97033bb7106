/** A wire record under the names of the graph: `names` says what each renamed key is called there. */
export const renamed = (
  wire: Readonly<Record<string, unknown>>,
  names: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(wire).map(([key, value]) => [names[key] ?? key, value]));
