import { createContext, useContext } from "react";

/** The place in a panel's head for the buttons of what stands in it; null until it is drawn. */
export const PanelTools = createContext<HTMLElement | null>(null);
export const usePanelTools = (): HTMLElement | null => useContext(PanelTools);
