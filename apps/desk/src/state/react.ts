import "./firstPicture.js";
import "react-dom/client";
import { nextTask } from "./task.js";

// Imported one after the other, before the desk: React, the other libraries, and the desk are evaluated in a task each.
await nextTask();
