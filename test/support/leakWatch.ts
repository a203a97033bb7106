import { SANDBOX_CREDENTIALS } from "@exchange-graph/sandbox/credentials";
import { afterAll, afterEach } from "vitest";
import "./leakProbes.js";
import { leaks } from "./leaks.js";

/**
 * Runs in front of every test file. Whatever any server of this process sends, and whatever any client of it receives
 * from a server elsewhere, is searched for what is secret; a test during which something was found fails.
 *
 * Secret is: what the sandbox's accounts sign with, every `Secret` that was ever revealed here, what came as credentials
 * in the headers of a request, and everything that has the shape of a signature. Logs are searched where tests take them
 * (`searchedLog`), and the output of the product as a process where it is read (`product.ts`).
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
