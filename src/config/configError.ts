/** The environment asks for something that cannot be done. `mistakes` has one line for each, none shows a secret. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";

  constructor(readonly mistakes: readonly string[]) {
    super(mistakes.join("\n"));
  }
}
