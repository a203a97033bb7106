import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { createBrotliCompress, createGzip } from "node:zlib";
import { Secret } from "../../src/datasources/errors/secret.js";
import { leaks } from "./leaks.js";

/**
 * Probes of this process: they register its secrets and search what its servers send and its clients receive. Test
 * files that share a worker share its probes, so each is installed once.
 */

const { reveal } = Secret.prototype;
Secret.prototype.reveal = function (this: Secret): string {
  const text = reveal.call(this);
  leaks.know(text, "a secret that was revealed");
  return text;
};

const CREDENTIAL_HEADERS = ["access-key", "access-passphrase", "authorization"];
/** Matches a token by its characters; other values that tests invent may be any text. */
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

/** Searches everything that servers of this process send. */
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

/** Compressed responses are searched before compression. */
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
