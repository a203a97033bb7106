import { settings } from "./settings.js";
import { Store, useStore } from "./store.js";

export type Theme = "dark" | "light";

const prefersLight = matchMedia("(prefers-color-scheme: light)");

function current(): Theme {
  const { theme } = settings.value;
  return theme === "system" ? (prefersLight.matches ? "light" : "dark") : theme;
}

const shown = new Store<Theme>(current());

/** The page has its colours before components render: charts read them from its style. */
function apply(): void {
  const theme = current();
  document.documentElement.dataset.theme = theme;
  shown.set(theme);
}

apply();
settings.subscribe(apply);
prefersLight.addEventListener("change", apply);

/** The theme that is shown: the user's choice, or that of the system. */
export const useTheme = (): Theme => useStore(shown);
