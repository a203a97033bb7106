import "./react.js";
import "urql";
import "@tanstack/react-table";
import { nextTask } from "./task.js";

await nextTask();
