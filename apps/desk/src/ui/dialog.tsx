import { type ReactNode, useEffect, useId, useRef } from "react";
import { t } from "../text/text.js";
import { Icon } from "./icon.js";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A modal dialog: the browser keeps the focus in it, restores it, and closes it on Escape. */
export function Dialog({ title, onClose, className = "", children }: DialogProps) {
  const heading = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // The first input, and not the button that closes the dialog.
    element?.querySelector<HTMLElement>("[role=combobox], .field input, .field select")?.focus();
    return () => element?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard has Escape
    <dialog
      ref={dialog}
      className={className}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div className="dialog-body">
        <div className="dialog-head">
          <h2 id={heading}>{title}</h2>
          <button type="button" className="icon-button" aria-label={t("Close")} onClick={onClose}>
            <Icon name="close" />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}
