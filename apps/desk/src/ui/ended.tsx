import type { ReactNode } from "react";
import form from "./form.module.css";

/** Says in a dialog that what it acts on has ended meanwhile. */
export const Ended = ({ children }: { readonly children: ReactNode }) => (
  <p className={form.warning} role="alert">
    {children}
  </p>
);
