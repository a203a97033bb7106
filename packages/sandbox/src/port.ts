const DEFAULT_PORT = "4100";
const HIGHEST_PORT = 65_535;

/** The port of `SANDBOX_PORT`; 0 selects a free one. Throws a `RangeError` that names the setting. */
export function sandboxPort(setting = DEFAULT_PORT): number {
  const port = /^\d{1,5}$/.test(setting) ? Number.parseInt(setting, 10) : HIGHEST_PORT + 1;
  if (port > HIGHEST_PORT) throw new RangeError(`SANDBOX_PORT must be a port number from 0 to ${HIGHEST_PORT}, not "${setting}"`);
  return port;
}
