import { createRoot } from "react-dom/client";
import { Desk } from "./shell/desk.js";
import { settings } from "./state/settings.js";

document.documentElement.lang = settings.value.language;
const root = document.getElementById("desk");
if (root === null) throw new Error("the page has no place for the desk");
createRoot(root).render(<Desk />);
// Browsers offer it over HTTPS and on this machine alone; without it the desk works, but cannot be opened while the gateway is away.
if (import.meta.env.PROD && "serviceWorker" in navigator) void navigator.serviceWorker.register("/sw.js");
