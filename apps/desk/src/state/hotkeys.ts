import { useEffect, useEffectEvent } from "react";
import { t } from "../text/text.js";
import { change, settings, useSettings } from "./settings.js";

/** An action that has a key. */
export interface Hotkey {
  readonly id: HotkeyId;
  readonly text: string;
  /** The key that it has unless the user has chosen another one, as `Shift+Enter`. */
  readonly key: string;
  /** It leads to a write: it has a key only if the user has allowed that. */
  readonly isTrade?: boolean;
}

export type HotkeyId = "palette" | "sheet" | "buy" | "sell" | "price" | "send" | "cancelAll" | "closeAll";

export const HOTKEYS: readonly Hotkey[] = [
  { id: "palette", text: t("Go to a page, a market or an account"), key: "/" },
  { id: "sheet", text: t("This list"), key: "?" },
  { id: "buy", text: t("On Trade: buy"), key: "b" },
  { id: "sell", text: t("On Trade: sell"), key: "s" },
  { id: "price", text: t("On Trade: to the price"), key: "p" },
  { id: "send", text: t("On Trade: send the order"), key: "Shift+Enter", isTrade: true },
  { id: "cancelAll", text: t("On Trade: cancel all orders"), key: "x", isTrade: true },
  { id: "closeAll", text: t("On Trade: close all positions"), key: "c", isTrade: true },
];

/** The keys of an event, as `Ctrl+Shift+K`. A character that is typed with Shift, such as `?`, stands for itself. */
export function keysOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string {
  const isCharacter = key.length === 1;
  const isLetter = isCharacter && key.toLowerCase() !== key.toUpperCase();
  return [
    ...(ctrlKey || metaKey ? ["Ctrl"] : []),
    ...(altKey ? ["Alt"] : []),
    ...(shiftKey && (isLetter || !isCharacter) ? ["Shift"] : []),
    isLetter ? key.toLowerCase() : key,
  ].join("+");
}

/** The keys of an action; undefined if it has none. */
export function keyOf({ id, key, isTrade = false }: Hotkey, { keys, tradeKeys }: { keys: Keys; tradeKeys: boolean }) {
  return isTrade && !tradeKeys ? undefined : (keys[id] ?? key);
}

type Keys = { readonly [id: string]: string };

/** Gives an action other keys. An action that had them gets none of them. */
export function assign(id: HotkeyId, keys: string): boolean {
  const isTaken = HOTKEYS.some((other) => other.id !== id && keyOf(other, { ...settings.value, tradeKeys: true }) === keys);
  if (isTaken) return false;
  change({ keys: { ...settings.value.keys, [id]: keys } });
  return true;
}

/** Whether the user types into a field. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest("input:not([type=radio]):not([type=checkbox]), select, textarea") !== null;

/** Runs actions by their keys while the component is mounted: not while a dialog is open, nor, without a modifier, in a field. */
export function useHotkeys(handlers: { readonly [Id in HotkeyId]?: (() => void) | undefined }): void {
  const chosen = useSettings();
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    const keys = keysOf(event);
    const hotkey = HOTKEYS.find((one) => handlers[one.id] !== undefined && keyOf(one, chosen) === keys);
    const isChord = event.ctrlKey || event.metaKey || event.altKey || event.key === "Enter";
    // A key that is held down is one press.
    if (hotkey === undefined || event.repeat || event.defaultPrevented || document.querySelector("dialog[open]") !== null) return;
    if (isTyping(event.target) && !isChord) return;
    event.preventDefault();
    handlers[hotkey.id]?.();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => pressed(event);
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
}
