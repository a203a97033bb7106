import { isObject, namedFrom } from "./layout.js";
import { change, settings } from "./settings.js";
import { parsed } from "./stored.js";

/** Keeps the present layout of all pages under a name; an equal name is replaced. */
export function keepAs(name: string): void {
  const { named, layouts } = settings.value;
  change({ named: namedFrom({ ...named, [name.trim()]: layouts }) });
}

export function take(name: string): void {
  const layouts = settings.value.named[name];
  if (layouts !== undefined) change({ layouts });
}

export function forget(name: string): void {
  const { [name]: _, ...others } = settings.value.named;
  change({ named: others });
}

const FORMAT = "exchange-graph desk layouts";

/** The named layouts, and the present one, as the text of a file. */
export const exported = (): string =>
  `${JSON.stringify({ format: FORMAT, layouts: { ...settings.value.named, "(present)": settings.value.layouts } }, null, 2)}\n`;

/** Adds the layouts of a file; returns their names. None if it is not such a file. */
export function imported(text: string): readonly string[] {
  const file = parsed(text);
  if (!isObject(file) || Reflect.get(file, "format") !== FORMAT) return [];
  const found = namedFrom(Reflect.get(file, "layouts"));
  change({ named: namedFrom({ ...settings.value.named, ...found }) });
  return Object.keys(found);
}
