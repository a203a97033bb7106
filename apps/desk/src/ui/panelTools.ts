import { createContext, useContext } from "react";

/** The place in a panel's header for buttons of its content; null until it is rendered. */
export const PanelTools = createContext<HTMLElement | null>(null);
export const usePanelTools = (): HTMLElement | null => useContext(PanelTools);
