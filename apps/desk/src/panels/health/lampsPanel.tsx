import type { ReactNode } from "react";
import type { Feed } from "../../graph/feed.js";
import { Panel } from "../../ui/panel.js";
import { Empty } from "../../ui/state.js";
import styles from "./lampsPanel.module.css";

/** A status that is either good or bad. */
export interface Lamp {
  readonly key: string;
  readonly mood: "good" | "fair" | "bad";
  readonly name: string;
  /** Shown beside the name, for example the account. */
  readonly detail?: string | null | undefined;
  readonly state: ReactNode;
}

interface LampsProps {
  readonly title: string;
  readonly feed: Feed;
  /** Undefined if unknown. */
  readonly lamps: readonly Lamp[] | undefined;
  readonly empty: string;
  readonly actions?: ReactNode;
  /** Shown below the statuses, or instead of them. */
  readonly children?: ReactNode;
}

/** A panel of statuses. */
export const LampsPanel = ({ title, feed, lamps, empty, actions, children }: LampsProps) => (
  <Panel title={title} feeds={[feed]} has={lamps !== undefined} actions={actions}>
    {lamps?.length === 0 ? (
      <Empty>{empty}</Empty>
    ) : (
      <ul className={styles.lamps}>
        {lamps?.map(({ key, mood, name, detail, state }) => (
          <li key={key}>
            <i data-mood={mood} aria-hidden="true" />
            <span>
              {name} <small className="muted">{detail}</small>
            </span>
            <span className="number">{state}</span>
          </li>
        ))}
      </ul>
    )}
    {children}
  </Panel>
);
