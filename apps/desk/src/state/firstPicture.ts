import { nextTask } from "./task.js";

// Imported before React: what the page shows without scripts is laid out and drawn first.
await nextTask();
