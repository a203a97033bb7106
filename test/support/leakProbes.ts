import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { createBrotliCompress, createGzip } from "node:zlib";
import { Secret } from "../../src/datasources/secret.js";
import { leaks } from "./leaks.js";

/**
 * Where this process is watched: what it learns to be secret, and what its servers send and its clients receive. Test
 * files that share a worker share its probes, so each is set once.
 */

const { reveal } = Secret.prototype;
Secret.prototype.reveal = function (this: Secret): string {
  const text = reveal.call(this);
  leaks.know(text, "a secret that was revealed");
  return text;
};

const CREDENTIAL_HEADERS = ["access-key", "access-passphrase", "authorization"];
/** A token by the characters of tokens: what a test makes up besides may be any text. */
const BEARER = /^Bearer ([\w.~+/-]{20,})$/i;

subscribe("http.server.request.start", (message) => {
  const { headers } = (message as { readonly request: IncomingMessage }).request;
  for (const name of CREDENTIAL_HEADERS) {
    const value = headers[name];
    if (typeof value !== "string") continue;
    const secret = name === "authorization" ? BEARER.exec(value)?.[1] : value;
    if (secret !== undefined) leaks.know(secret, `the header ${name}`);
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

/** What a server sends compressed is searched before it is. */
for (const packer of [createGzip(), createBrotliCompress()]) {
  const own: typeof packer = Object.getPrototypeOf(packer);
  const transform = own._transform;
  const searches = new WeakMap<object, (chunk: Written) => void>();
  own._transform = function (this: object, chunk: Written, ...rest) {
    const search = searches.get(this) ?? leaks.stream("what a server compressed");
    searches.set(this, search);
    search(chunk);
    transform.call(this as typeof packer, chunk, ...rest);
  };
  packer.close();
}

subscribe("net.client.socket", (message) => {
  const { socket } = message as { readonly socket: Socket };
  const search = leaks.stream("what a client received");
  const { push } = socket;
  socket.push = (chunk: Written | null, encoding) => {
    if (chunk !== null && !ownPorts.has(socket.remotePort)) search(chunk);
    return push.call(socket, chunk, encoding);
  };
});
