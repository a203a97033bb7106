/** Invalid settings. `mistakes` has one line for each; none contains a secret. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";

  constructor(readonly mistakes: readonly string[]) {
    super(mistakes.join("\n"));
  }
}
