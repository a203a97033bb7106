import { ConfigError } from "./config/configError.js";

/** A package that an installation can omit. Throws `ConfigError` with this message if it is not installed. */
export async function optionalPackage<T>(importing: Promise<T>, missing: string): Promise<T> {
  try {
    return await importing;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND")) throw error;
    throw new ConfigError([missing]);
  }
}
