import "react-dom/client";
import "urql";
import { nextTask } from "./task.js";

// Imported before the desk: the libraries and the desk are evaluated in a task each.
await nextTask();
