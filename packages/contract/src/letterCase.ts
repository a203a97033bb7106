/**
 * A name of a symbol or a coin in capitals. The exchange ignores letter case in names, and lists them in capitals. Letters
 * without a capital of their own (`ß`, `ſ`) are unchanged, so that two names never become one.
 */
export const inCapitals = (name: string): string => (IS_ASCII.test(name) ? name.toUpperCase() : [...name].map(capital).join(""));

/** Whether this listed name is the requested one. Without a requested name every name is. */
export const isNamed = (listed: string, requested: string | undefined): boolean =>
  requested === undefined || inCapitals(requested) === listed;

const IS_ASCII = /^[\x20-\x7e]*$/;

function capital(letter: string): string {
  const upper = letter.toUpperCase();
  return upper.toLowerCase() === letter ? upper : letter;
}
