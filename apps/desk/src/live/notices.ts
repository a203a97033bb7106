import { compareDecimals, divideDecimals, subtractDecimals } from "@exchange-graph/client";
import { useEffect, useRef } from "react";
import { amount, words } from "../format/format.js";
import { graphql } from "../graph/document.js";
import { useLive } from "../graph/useLive.js";
import { actions } from "../graph/writes.js";
import { settings } from "../state/settings.js";
import { t } from "../text/text.js";
import { usePositions } from "./positions.js";

/** Executions of an account, each once. */
const WatchExecutions = graphql(`
  subscription WatchExecutions($account: String) {
    fills(account: $account) {
      fills {
        id
        symbol
        side
        qty
        price
      }
    }
  }
`);

/** Maximum number of executions that one notice names. */
const NAMED = 3;
/** Below this distance of the mark price from liquidation, as a fraction of the mark price, a position is reported. */
const NEAR = "0.05";

/** Reports fills, and positions that come close to liquidation, of one account. */
export function AccountNotices({ account }: { readonly account: string }): null {
  useLive(WatchExecutions, { account }, ({ fills: { fills } }, { kind }) => {
    // The first event has executions of the past.
    if (kind !== "update" || fills === null || fills.length === 0) return;
    const named = fills
      .slice(0, NAMED)
      .map(({ side, qty, symbol, price }) => `${words(side)} ${amount(qty)} ${symbol} @ ${amount(price)}`);
    const more = fills.length > NAMED ? `, +${fills.length - NAMED}` : "";
    notify(t("Filled, {account}", { account }), `${named.join(", ")}${more}`);
  });
  const { rows } = usePositions(account);
  const reported = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    if (rows === undefined) return;
    const near = rows.filter(isNear);
    for (const { id, symbol, posSide } of near)
      if (!reported.current.has(id))
        notify(t("Close to liquidation, {account}", { account }), `${symbol} ${words(posSide).toLowerCase()}`);
    reported.current = new Set(near.map(({ id }) => id));
  }, [rows, account]);
  return null;
}

function isNear({
  markPrice,
  liquidationPrice,
}: {
  readonly markPrice: string | null;
  readonly liquidationPrice: string | null;
}): boolean {
  if (markPrice === null || liquidationPrice === null) return false;
  if (compareDecimals(markPrice, "0") <= 0 || compareDecimals(liquidationPrice, "0") <= 0) return false;
  const distance = divideDecimals(subtractDecimals(markPrice, liquidationPrice).replace("-", ""), markPrice, 6);
  return compareDecimals(distance, NEAR) < 0;
}

/** Reports writes that were refused. */
export function useRefusalNotices(): void {
  useEffect(() => {
    const reported = new Set<string>();
    return actions.subscribe(() => {
      for (const { key, state, title, message } of actions.value) {
        if (state !== "rejected" || reported.has(key)) continue;
        reported.add(key);
        notify(t("Rejected"), `${title}. ${message}`);
      }
    });
  }, []);
}

/** A browser notification, a sound, or both, as the user has chosen. */
function notify(title: string, body: string): void {
  const { notifications, sound } = settings.value.notices;
  if (notifications && "Notification" in window && Notification.permission === "granted")
    new Notification(title, { body, tag: `${title} ${body}`, icon: "/desk/icon.svg" });
  if (sound) beep();
}

const BEEP = { hertz: 880, seconds: 0.12, volume: 0.08 } as const;

let audio: AudioContext | undefined;

function beep(): void {
  audio ??= new AudioContext();
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  tone.frequency.value = BEEP.hertz;
  volume.gain.value = BEEP.volume;
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + BEEP.seconds);
}
