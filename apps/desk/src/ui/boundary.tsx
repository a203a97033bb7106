import { Component, type ReactNode } from "react";
import { t } from "../text/text.js";
import { Failed } from "./state.js";

interface Caught {
  readonly error: Error | undefined;
}

/** Keeps an error in one panel from the others: without it, React would take the whole page down. */
export class Boundary extends Component<{ readonly children: ReactNode }, Caught> {
  override state: Caught = { error: undefined };

  static getDerivedStateFromError(error: unknown): Caught {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <Failed>
        <b>{t("This panel has failed")}</b>
        <span>{error.message}</span>
        <button type="button" onClick={() => this.setState({ error: undefined })}>
          {t("Try again")}
        </button>
      </Failed>
    );
  }
}
