import { SANDBOX_CREDENTIALS } from "@exchange-graph/sandbox/credentials";
import { afterAll, afterEach } from "vitest";
import "./leakProbes.js";
import { leaks } from "./leaks.js";

/**
 * Runs before every test file. Everything that a server of this process sends, or a client of this process receives
 * from an external server, is searched for secrets; a test during which one was found fails.
 *
 * Secrets are: the signing keys of the sandbox's accounts, every revealed `Secret`, credentials
 * in request headers, and every text with the shape of a signature. Logs are searched where tests capture them
 * (`searchedLog`), and the output of product processes where it is read (`product.ts`).
 */

leaks.forget();
for (const { key, secret, passphrase, name } of SANDBOX_CREDENTIALS) {
  leaks.know(key, `the key of ${name}`);
  leaks.know(secret, `the secret of ${name}`);
  leaks.know(passphrase, `the passphrase of ${name}`);
}

function failOnLeaks(): void {
  const found = leaks.take();
  if (found.length === 0) return;
  const lines = found.map(({ what, where, behind }) => `${what} in ${where}, behind ${JSON.stringify(behind)}`);
  throw new Error(`secrets got out:\n${lines.join("\n")}`);
}
afterEach(failOnLeaks);
afterAll(failOnLeaks);
