import { Secret } from "../../dist/src/datasources/index.js";

/** What tests that run gateways in separate processes give to these, as JSON. Runs what was built. */

/** The test's time, which passes `factor` times as fast as real time since `since`, when it was `from` (Unix ms). */
export const clockOf = ({ from, since, factor }) => ({
  now: () => Math.round(from + (Date.now() - since) * factor),
  after(delayMs, task) {
    const timer = setTimeout(task, Math.max(0, delayMs) / factor);
    return () => clearTimeout(timer);
  },
});

/** Accounts of the sandbox. */
export const accountsOf = (accounts) =>
  accounts.map(({ name, key, secret, passphrase }) => ({
    name,
    credentials: { apiKey: new Secret(key), apiSecret: new Secret(secret), passphrase: new Secret(passphrase) },
    isCopyTrader: false,
  }));
