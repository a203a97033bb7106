import { type Channel, itemsOf } from "../../../../src/contract/channels/channel.js";
import { readFrame } from "../../../../src/contract/channels/frame.js";

/** What a channel reads from one frame as the exchange writes it. */
export function pushed<P extends object, T>(channel: Channel<P, T>, parameters: P, frame: object | string): readonly T[] {
  const read = readFrame(typeof frame === "string" ? frame : JSON.stringify(frame));
  if (read.kind !== "push") throw new Error(`not a push but ${read.kind}`);
  return itemsOf(channel, parameters, read.push);
}
