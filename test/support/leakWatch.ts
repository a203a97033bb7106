import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { afterAll, afterEach } from "vitest";
import { Secret } from "../../src/datasources/secret.js";
import { SANDBOX_CREDENTIALS } from "../../src/sandbox/credentials.js";
import { leaks } from "./leaks.js";

/**
 * Runs in front of every test file. Whatever any server of this process sends, and whatever any client of it receives
 * from a server elsewhere, is searched for what is secret; a test during which something was found fails.
 *
 * Secret is: what the sandbox's accounts sign with, every `Secret` that was ever revealed here, what came as credentials
 * in the headers of a request, and everything that has the shape of a signature. Logs are searched where tests take them
 * (`searchedLog`), and the output of the product as a process where it is read (`product.ts`).
 */

for (const { key, secret, passphrase, name } of SANDBOX_CREDENTIALS) {
  leaks.know(key, `the key of ${name}`);
  leaks.know(secret, `the secret of ${name}`);
  leaks.know(passphrase, `the passphrase of ${name}`);
}

const { reveal } = Secret.prototype;
Secret.prototype.reveal = function (this: Secret): string {
  const text = reveal.call(this);
  leaks.know(text, "a secret that was revealed");
  return text;
};

const CREDENTIAL_HEADERS = ["access-key", "access-passphrase", "authorization"];

subscribe("http.server.request.start", (message) => {
  const { headers } = (message as { readonly request: IncomingMessage }).request;
  for (const name of CREDENTIAL_HEADERS) {
    const value = headers[name];
    if (typeof value === "string") leaks.know(value.replace(/^Bearer /i, ""), `the header ${name}`);
  }
});

/** Servers of this process are searched where they send. */
const ownPorts = new Set<number | undefined>();

type Written = string | Uint8Array;

subscribe("net.server.socket", (message) => {
  const { socket } = message as { readonly socket: Socket };
  ownPorts.add(socket.localPort);
  const search = leaks.stream("what a server sent");
  const one = socket._write;
  const several = socket._writev;
  socket._write = (chunk: Written, ...rest) => {
    search(chunk);
    one.call(socket, chunk, ...rest);
  };
  socket._writev = (chunks, done) => {
    for (const { chunk } of chunks) search(chunk as Written);
    several?.call(socket, chunks, done);
  };
});

subscribe("net.client.socket", (message) => {
  const { socket } = message as { readonly socket: Socket };
  const search = leaks.stream("what a client received");
  const { push } = socket;
  socket.push = (chunk: Written | null, encoding) => {
    if (chunk !== null && !ownPorts.has(socket.remotePort)) search(chunk);
    return push.call(socket, chunk, encoding);
  };
});

function failOnLeaks(): void {
  const found = leaks.take();
  if (found.length === 0) return;
  const lines = found.map(({ what, where, behind }) => `${what} in ${where}, behind ${JSON.stringify(behind)}`);
  throw new Error(`secrets got out:\n${lines.join("\n")}`);
}
afterEach(failOnLeaks);
afterAll(failOnLeaks);
