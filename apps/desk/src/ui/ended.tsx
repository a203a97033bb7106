import type { ReactNode } from "react";

/** Says in a dialog that what it acts on has ended meanwhile. */
export const Ended = ({ children }: { readonly children: ReactNode }) => (
  <p className="warning" role="alert">
    {children}
  </p>
);
