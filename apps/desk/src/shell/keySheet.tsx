import { PAGES } from "../state/route.js";
import { Dialog } from "../ui/dialog.js";

const KEYS: readonly { readonly keys: string; readonly text: string }[] = [
  { keys: "Ctrl K, /", text: "Go to a page, a market or an account" },
  ...PAGES.map(({ key, name }) => ({ keys: `g ${key}`, text: name })),
  { keys: "b, s", text: "On Trade: buy, sell" },
  { keys: "↑ ↓", text: "In the book: move between levels" },
  { keys: "+ −", text: "In the book: change the grouping" },
  { keys: "arrows, Shift arrows", text: "On the grip ⠿ of a panel: move it, resize it" },
  { keys: "?", text: "This list" },
  { keys: "Esc", text: "Close a dialog" },
];

/** The keyboard shortcuts. None of them sends an order. */
export const KeySheet = ({ onClose }: { readonly onClose: () => void }) => (
  <Dialog title="Keyboard shortcuts" onClose={onClose}>
    <dl className="rows">
      {KEYS.map(({ keys, text }) => (
        <div key={keys}>
          <dt>
            <kbd>{keys}</kbd>
          </dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
);
