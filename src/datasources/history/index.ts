/** The door of the room: what the others use of it. */

export type { HistoryBatch, HistoryStore, KeptFrom, OpenHistoryStore, Resolution, Span } from "./historyStore.js";
export { Recorder, type RecorderSettings } from "./recorder.js";
export { fileHistory, historyPathOf } from "./sqlite/sqliteHistory.js";
