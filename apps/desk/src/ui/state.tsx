import type { ReactNode } from "react";
import styles from "./state.module.css";

interface StateProps {
  readonly children: ReactNode;
}

/** Shown while a part is loaded or read. */
export const Loading = ({ children }: StateProps) => (
  <p className={styles.state} data-state="loading">
    {children}
  </p>
);

/** Shown instead of a list without rows. */
export const Empty = ({ children }: StateProps) => (
  <p className={styles.state} data-state="empty">
    {children}
  </p>
);

/** Why there is nothing to see for this token or account. */
export const Refused = ({ children }: StateProps) => (
  <p className={styles.state} data-state="refused">
    {children}
  </p>
);

/** A failure, with what can be done about it. */
export const Failed = ({ children }: StateProps) => (
  <div className={styles.state} data-state="failed" role="alert">
    {children}
  </div>
);
