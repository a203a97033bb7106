import "./state/libraries.js";
import { createRoot } from "react-dom/client";
import { requestStart } from "./live/accounts.js";
import { Desk, loadPage } from "./shell/desk.js";
import { settings } from "./state/settings.js";
import { nextTask } from "./state/task.js";

document.documentElement.lang = settings.value.language;
const root = document.getElementById("desk");
if (root === null) throw new Error("the page has no place for the desk");
await nextTask();
// The gateway answers, and the page is loaded, while the desk is drawn.
const leaveStart = requestStart();
await nextTask();
void loadPage();
await nextTask();
createRoot(root).render(<Desk onBegun={leaveStart} />);
// Browsers offer it over HTTPS and on this machine alone; without it the desk works, but cannot be opened while the gateway is away.
if (import.meta.env.PROD && "serviceWorker" in navigator) void navigator.serviceWorker.register("/sw.js");
