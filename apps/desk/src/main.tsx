import { createRoot } from "react-dom/client";
import { Desk } from "./shell/desk.js";

const root = document.getElementById("desk");
if (root === null) throw new Error("the page has no place for the desk");
createRoot(root).render(<Desk />);
