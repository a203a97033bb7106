import type { ReactNode } from "react";
import styles from "./tag.module.css";

interface TagProps {
  readonly tone?: "up" | "down" | "warn" | undefined;
  readonly children: ReactNode;
}

/** A short label of a row, with a background of its own. */
export const Tag = ({ tone, children }: TagProps) => (
  <span className={styles.tag} data-tone={tone}>
    {children}
  </span>
);
