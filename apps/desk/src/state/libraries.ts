import "./react.js";
import "urql";
import { nextTask } from "./task.js";

await nextTask();
