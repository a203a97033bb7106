/**
 * A name of a symbol or a coin in capitals. The exchange ignores letter case in names, and lists them in capitals. Letters
 * that have no capital of their own (`ß`, `ſ`) stay as they are, so that two names never become one.
 */
export const inCapitals = (name: string): string => (IS_ASCII.test(name) ? name.toUpperCase() : [...name].map(capital).join(""));

/** Is this listed name the one that is asked for? Every name is, where none is asked for. */
export const isNamed = (listed: string, asked: string | undefined): boolean =>
  asked === undefined || inCapitals(asked) === listed;

const IS_ASCII = /^[\x20-\x7e]*$/;

function capital(letter: string): string {
  const upper = letter.toUpperCase();
  return upper.toLowerCase() === letter ? upper : letter;
}
