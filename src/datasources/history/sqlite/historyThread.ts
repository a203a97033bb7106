import { parentPort, workerData } from "node:worker_threads";
import type { ThreadAnswer, ThreadData, ThreadRequest } from "./messages.js";
import { SqliteStore } from "./sqliteStore.js";

/** The thread of the history's file, so that the event loop never waits for the disk. */

const port = parentPort;
if (port === null) throw new Error("the history's thread has to be started as one");
const { path, realm }: ThreadData = workerData;
let store: SqliteStore | undefined;

/** The file is opened by the first call. If that fails, by the next one. */
function answer({ name, args }: ThreadRequest): unknown {
  store ??= new SqliteStore(path, realm);
  // The caller's type has checked that the arguments are the method's.
  return (store[name] as (...args: unknown[]) => unknown).apply(store, [...args]);
}

port.on("message", (request: ThreadRequest) => {
  let reply: ThreadAnswer;
  try {
    reply = { id: request.id, result: answer(request) };
  } catch (error) {
    reply = { id: request.id, failure: error instanceof Error ? error.message : "an unknown error" };
  }
  port.postMessage(reply);
});
