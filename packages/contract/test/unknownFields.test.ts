import { describe, expect, it } from "vitest";
import { channels } from "../src/channels/index.js";
import { optionalText } from "../src/codec.js";
import { endpointNamed } from "../src/index.js";
import { list } from "../src/lists.js";
import { record } from "../src/record.js";
import { unknownFields } from "../src/unknownFields.js";
import { samplesIn } from "./samples/changed.js";

const unknown = (fields: Parameters<typeof unknownFields>[0], wire: unknown): readonly string[] => [
  ...unknownFields(fields, wire),
];

describe("fields that the contract does not have", () => {
  const order = record({ note: optionalText("", "note", "memo"), fills: list("", record({ px: optionalText("") }), "fillList") });

  it("are named by their path, in the first and the last row of each list", () => {
    const fillList = [{ px: "1" }, { hidden: "1" }, { px: "1", size2: "1" }];
    expect(unknown(order.fields, [{ memo: "", extra: {} }, { hidden: 1 }, { fillList }])).toEqual(["extra", "fillList.size2"]);
  });

  it.each([[null], [undefined], [7], ["text"], [[]], [[null]], [[[1, 2]]], [{ fillList: 7 }], [{ fillList: [7, null] }]])(
    "are none in %j",
    (wire) => {
      expect(unknown(order.fields, wire)).toEqual([]);
    },
  );

  it("are looked for in at most 200 keys of an object", () => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`key${at}`, at]));
    expect(unknown(order.fields, many)).toHaveLength(200);
  });

  it("do not occur in a sample of any answer or push", () => {
    const answers = samplesIn<{ endpoint: string; data: unknown }>("answers.ndjson");
    for (const { endpoint, data } of answers)
      expect([endpoint, ...unknown(endpointNamed(endpoint)?.data.fields, data)]).toEqual([endpoint]);
    const pushes = samplesIn<{ channel: string; data: readonly unknown[] }>("pushes.ndjson");
    for (const { channel, data } of pushes) {
      const item = channels.find(({ name }) => name === channel)?.item;
      expect([channel, ...unknown(item?.fields, data)]).toEqual([channel]);
    }
  });
});
