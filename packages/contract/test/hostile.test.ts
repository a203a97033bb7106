import { describe, expect, it } from "vitest";
import { itemsOf } from "../src/channels/channel.js";
import { readFrame } from "../src/channels/frame.js";
import { channels } from "../src/channels/index.js";
import { readEnvelope } from "../src/envelope.js";
import { endpointNamed } from "../src/index.js";
import { LikeRowsParser } from "../src/likeRows.js";
import { isRead } from "../src/rows.js";
import { type Finding, WireError } from "../src/wireError.js";
import { placesIn, placeText, samplesIn, withValue } from "./samples/changed.js";

/** Values that an exchange, or something in its place, may send where the contract has another one; as JSON text. */
const HOSTILE: Readonly<Record<string, string>> = {
  "a list in lists": `${"[".repeat(500)}${"]".repeat(500)}`,
  "an object in objects": `${'{"a":'.repeat(500)}1${"}".repeat(500)}`,
  "a prototype": '{"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}}}',
  "one key twice": '{"orderId":"1","orderId":{"$ne":null},"symbol":"A","symbol":"B"}',
  "minus zero": "-0",
  "minus zero as text": '"-0.000"',
  "a number beyond doubles": "1e400",
  "a number below doubles": '"1e-9999999999"',
  "a large exponent": '"9e99999"',
  "a long number": `"${"9".repeat(1_100)}"`,
  "a long bare number": "9".repeat(1_100),
  "a number with many points": '"1.2.3"',
  "not a number": '"NaN"',
  infinity: '"Infinity"',
  hexadecimal: '"0x10"',
  "digits of another script": '"١٢٣"',
  "half a surrogate pair": '"\\ud800"',
  "NUL and escapes": '"\\u0000\\u001b[2J\\r\\n"',
  "a turn of direction": '"\\u202eevil"',
  "a long text": `"${"x".repeat(2_000)}"`,
  markup: '"<script>alert(1)</script>"',
  "a boolean": "true",
  "a fraction": "0.1",
  "an unsafe integer": "9007199254740993",
  "a time before 1970": "-1767225600000",
  "a time beyond dates": "8640000000000001",
};
const CONTROLS = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

const MARK = "@hostile@";

/** Every place of every sample: the JSON text around it. */
const ANSWERS = samplesIn<{ readonly endpoint: string; readonly data: unknown }>("answers.ndjson").flatMap(({ endpoint, data }) =>
  [...placesIn(data)].map((path) => ({
    endpoint: endpointNamed(endpoint),
    place: `${endpoint} ${placeText(path)}`,
    around: JSON.stringify({ code: "00000", msg: "success", requestTime: 1, data: withValue(data, path, MARK) }),
  })),
);
const PUSHES = samplesIn<{ readonly channel: string; readonly arg: object; readonly data: unknown }>("pushes.ndjson").flatMap(
  ({ channel: name, ...frame }) =>
    [...placesIn(frame.data)].map((path) => ({
      channel: channels.find((one) => one.name === name),
      place: `${name} ${placeText(path)}`,
      around: JSON.stringify({ ...frame, data: withValue(frame.data, path, MARK) }),
    })),
);
const hostile = (around: string, value: string): string => around.replace(`"${MARK}"`, () => value);

/** What is wrong with a decoded value: an unbounded or unclean text, a number that is none. */
function* wrongIn(value: unknown, depth = 0): Generator<string> {
  if (value instanceof WireError) {
    if (value.message.length > 1_500 || CONTROLS.test(value.message)) yield "an error with an unbounded message";
    return;
  }
  if (depth > 20) yield "a deep value";
  else if (typeof value === "string" && (value.length > 1_000 || CONTROLS.test(value))) yield `the text ${value.slice(0, 20)}`;
  else if (typeof value === "number" && !Number.isSafeInteger(value)) yield `the number ${value}`;
  else if (Array.isArray(value)) for (const one of value) yield* wrongIn(one, depth + 1);
  else if (typeof value === "object" && value !== null) for (const one of Object.values(value)) yield* wrongIn(one, depth + 1);
}

/** Sequence numbers are big integers. */
const unBig = (item: unknown): unknown =>
  typeof item === "object" && item !== null
    ? Object.fromEntries(Object.entries(item).filter(([, value]) => typeof value !== "bigint"))
    : item;

describe.each(Object.entries(HOSTILE))("%s in place of any value", (_, value) => {
  // One assertion for all places: there are thousands.
  it("of an answer costs an error that names the place at most", () => {
    const all = ANSWERS.flatMap(({ endpoint, place, around }) => {
      const parser = new LikeRowsParser();
      const envelope = readEnvelope(hostile(around, value), (text) => parser.parse(text));
      const found: Finding[] = [];
      const wrong: string[] = [];
      try {
        wrong.push(...wrongIn(endpoint?.data.decode(envelope?.data, found)));
      } catch (error) {
        if (!(error instanceof WireError)) throw error;
        wrong.push(...wrongIn(error));
      }
      if (found.some(({ field }) => field.length >= 200)) wrong.push("a finding with an unbounded field");
      return wrong.map((what) => `${place}: ${what}`);
    });
    expect(all).toEqual([]);
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });

  it("of a push costs an error that names the place at most", () => {
    const all = PUSHES.flatMap(({ channel, place, around }) => {
      const read = readFrame(hostile(around, value));
      if (read.kind !== "push") throw new Error(`${place} is ${read.kind}`);
      const parameters = channel?.parameters(read.push.argument);
      if (channel === undefined || parameters === undefined) throw new Error(`${place}: its channel does not know its argument`);
      const { items, found } = itemsOf(channel, parameters, read.push);
      const wrong = [...items.flatMap((item) => [...wrongIn(unBig(item))]), ...found.flatMap((one) => [...wrongIn(one)])];
      if (!items.every((item) => isRead(item))) wrong.push("an item that could not be read");
      return wrong.map((what) => `${place}: ${what}`);
    });
    expect(all).toEqual([]);
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });
});
