/** The version of the gateway, which `package.json` has too. */
export const VERSION = "0.2.0";
