import { parentPort, workerData } from "node:worker_threads";
import { systemClock } from "@exchange-graph/contract/clock";
import { JournalThread } from "./journalThread.js";
import type { ThreadData, ThreadRequest } from "./messages.js";

/** The journal's thread, which alone accesses the file and waits for it. */

const port = parentPort;
if (port === null) throw new Error("the journal's thread has to be started as one");
const data: ThreadData = workerData;
const thread = new JournalThread(data, systemClock, (message) => port.postMessage(message));
port.on("message", (request: ThreadRequest) => thread.take(request));
