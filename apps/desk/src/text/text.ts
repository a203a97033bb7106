import { settings } from "../state/settings.js";
import { nextTask } from "../state/task.js";

const { language } = settings.value;

/** Locales of numbers and dates. English dates are those of Canada, which are ISO 8601. */
const LOCALES = { en: "en-CA", de: "de-DE" } as const;
export const LOCALE = LOCALES[language];

// The browser loads its data of languages with the first format, which takes longer than all the rest of this module's package.
await nextTask();
export const DECIMAL_MARK = new Intl.NumberFormat(LOCALE).formatToParts(0.5).find(({ type }) => type === "decimal")?.value ?? ".";
await nextTask();

/**
 * The catalogue is read before the modules that have texts: they may use it while they are loaded. English needs none, and another
 * language is loaded by those who have chosen it.
 */
const catalogue: Readonly<Record<string, string>> = language === "de" ? (await import("./de.js")).GERMAN : {};

/**
 * A text in the user's language, with its placeholders filled: `t("Halt {account}", { account })`. A text that the catalogue does
 * not have is shown in English.
 */
export function t(text: string, values: Readonly<Record<string, string | number>> = {}): string {
  const translated = Object.hasOwn(catalogue, text) ? catalogue[text] : undefined;
  return (translated ?? text).replaceAll(/\{(\w+)\}/g, (all, name: string) => String(values[name] ?? all));
}
