import { explorerPlugin } from "@graphiql/plugin-explorer";
import type { GraphiQLPlugin } from "@graphiql/react";
import { type KeyboardEvent, useEffect, useRef } from "react";
import "@graphiql/plugin-explorer/style.css";

/** A colour of GraphiQL, mixed with its text colour: on white the original is too pale. */
const readable = (name: string): string => `color-mix(in srgb, hsl(var(--color-${name})) 50%, hsl(var(--color-neutral)))`;

/** The control of a field. The plugin's own works with the mouse only. */
const tick = (shape: "box" | "arrow", isTicked: boolean) => (
  // biome-ignore lint/a11y/useSemanticElements: a click of the row around it ticks it; a checkbox of the browser's would do so twice
  <span className={`tick ${shape}`} role="checkbox" aria-checked={isTicked} tabIndex={0} />
);

const explorer = explorerPlugin({
  checkboxChecked: tick("box", true),
  checkboxUnchecked: tick("box", false),
  arrowOpen: tick("arrow", true),
  arrowClosed: tick("arrow", false),
  colors: {
    keyword: readable("primary"),
    def: readable("tertiary"),
    property: readable("info"),
    qualifier: readable("secondary"),
    attribute: readable("tertiary"),
    number: readable("success"),
    string: readable("warning"),
    builtin: readable("success"),
    string2: readable("secondary"),
    variable: readable("secondary"),
    atom: readable("tertiary"),
  },
});
const Fields = explorer.content;

/** Adds accessible names to elements of the plugin without one. */
function nameParts(root: HTMLElement): void {
  for (const part of root.querySelectorAll<HTMLElement>("[role=checkbox], input, select")) {
    const { fieldName, argName } = part.closest<HTMLElement>("[data-field-name], [data-arg-name]")?.dataset ?? {};
    const other = part.role === "checkbox" ? part.parentElement?.innerText : part.closest("form") ? "Kind of operation" : "Name";
    part.ariaLabel = fieldName ?? argName ?? other ?? "";
  }
  for (const button of root.querySelectorAll<HTMLElement>("form button")) button.ariaLabel = "Add an operation";
}

/** Ticks the focused element, like a click. */
function pressed(event: KeyboardEvent): void {
  const { target, key, ctrlKey, metaKey } = event;
  if (!(target instanceof HTMLElement) || target.role !== "checkbox" || ctrlKey || metaKey) return;
  if (key !== "Enter" && key !== " ") return;
  event.preventDefault();
  target.click();
}

/** Builds a document by ticking fields of the schema. */
function Builder() {
  const root = useRef<HTMLElement>(null);
  useEffect(() => {
    const { current } = root;
    if (current === null) return undefined;
    const observer = new MutationObserver(() => nameParts(current));
    observer.observe(current, { childList: true, subtree: true });
    nameParts(current);
    return () => observer.disconnect();
  }, []);
  return (
    <section ref={root} className="builder" aria-label="Query builder" onKeyDown={pressed}>
      <Fields />
    </section>
  );
}

export const builderPlugin: GraphiQLPlugin = { ...explorer, title: "Query builder", content: Builder };
