import { type ReactNode, useEffectEvent, useId, useLayoutEffect, useRef } from "react";
import { t } from "../text/text.js";
import buttons from "./button.module.css";
import styles from "./dialog.module.css";
import { Icon } from "./icon.js";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** A modal dialog: the browser keeps the focus in it, restores it, and closes it on Escape. */
export function Dialog({ title, onClose, className = "", children }: DialogProps) {
  const heading = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const close = useEffectEvent(onClose);
  // Before it is removed: the browser restores the focus only from a dialog that it closes.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // The first input, and not the button that closes the dialog.
    element?.querySelector<HTMLElement>("[role=combobox], input[id], select[id]")?.focus();
    const clicked = (event: MouseEvent) => {
      // On the backdrop, which belongs to the dialog itself.
      if (event.target === element) close();
    };
    element?.addEventListener("click", clicked);
    return () => {
      element?.removeEventListener("click", clicked);
      element?.close();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className={`${styles.dialog} ${className}`}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div className={styles.body}>
        <div className={styles.head}>
          <h2 id={heading} className={styles.title}>
            {title}
          </h2>
          <button type="button" className={buttons.icon} aria-label={t("Close")} onClick={onClose}>
            <Icon name="close" />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}
