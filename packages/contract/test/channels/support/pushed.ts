import { type Channel, itemsOf, type Push } from "../../../src/channels/channel.js";
import { readFrame } from "../../../src/channels/frame.js";
import { WireError } from "../../../src/wireError.js";

/** What a channel reads from one frame as the exchange writes it. */
export function pushed<P extends object, T>(channel: Channel<P, T>, parameters: P, frame: object | string): readonly T[] {
  const read = readFrame(typeof frame === "string" ? frame : JSON.stringify(frame));
  if (read.kind !== "push") throw new Error(`not a push but ${read.kind}`);
  return everyItem(channel, parameters, read.push);
}

/** What a channel reads from a push, all of it. Throws what could not be read. */
export function everyItem<P extends object, T>(channel: Channel<P, T>, parameters: P, push: Push): readonly T[] {
  const { items, found } = itemsOf(channel, parameters, push);
  const unread = found.find((one) => one instanceof WireError);
  if (unread !== undefined) throw unread;
  return items;
}
