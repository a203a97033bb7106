import { parentPort, workerData } from "node:worker_threads";
import { systemClock } from "@exchange-graph/contract/clock";
import { z } from "zod";
import { JournalThread } from "./journalThread.js";
import type { Asked } from "./messages.js";

/** The thread that has the journal's file. Only here is it read and written, and only this thread waits for it. */

const port = parentPort;
if (port === null) throw new Error("the journal's thread has to be started as one");
const data = z.object({ path: z.string(), realm: z.string(), formerRealm: z.string() }).parse(workerData);
const thread = new JournalThread(data, systemClock, (said) => port.postMessage(said));
port.on("message", (asked: Asked) => thread.take(asked));
