import { createTraceState, type SpanContext } from "@opentelemetry/api";
import { JsonTraceSerializer } from "@opentelemetry/otlp-transformer";
import { resourceFromAttributes } from "@opentelemetry/resources";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-base";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { otlpJson } from "../../../src/telemetry/traces/otlpJson.js";

const resource = resourceFromAttributes({ "service.name": 'a "quoted" service', "service.instances": 2 });
const scope = { name: "exchange-graph" };

const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom('"', "\\", "\n\u0000\u2028", "😀", "\ud800", ""));
const number = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(-0, 1e21, Number.NaN, Number.POSITIVE_INFINITY));
const some = { size: "small", maxLength: 4 } as const;
const listOf = <T>(one: fc.Arbitrary<T>) => fc.array(fc.option(one), some);
const value = fc.oneof(text, number, fc.boolean(), listOf(text), listOf(number), listOf(fc.boolean()));
const attributes = fc.dictionary(text, value, { maxKeys: 4 });
const hexOf = (length: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: length, maxLength: length });
const time = fc.tuple(fc.integer({ min: 0, max: 4_000_000_000 }), fc.integer({ min: 0, max: 999_999_999 }));
const count = fc.nat(1_000);
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined });

/** Removes `undefined` fields: an omitted field and an `undefined` one have different types. */
const given = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, field]) => field !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };

const context: fc.Arbitrary<SpanContext> = fc
  .record({
    traceId: hexOf(32),
    spanId: hexOf(16),
    traceFlags: fc.integer({ min: 0, max: 255 }),
    isRemote: maybe(fc.boolean()),
    traceState: maybe(fc.constant(createTraceState("vendor=one,other=two"))),
  })
  .map(given);

const span: fc.Arbitrary<ReadableSpan> = fc
  .record({
    ...{ name: text, kind: fc.integer({ min: 0, max: 4 }), startTime: time, endTime: time, duration: time, attributes },
    parentSpanContext: maybe(context),
    status: fc.record({ code: fc.constantFrom(0, 1, 2), message: maybe(text) }).map(given),
    links: fc.array(fc.record({ context, attributes: maybe(attributes), droppedAttributesCount: maybe(count) }).map(given), some),
    events: fc.array(
      fc.record({ name: text, time, attributes: maybe(attributes), droppedAttributesCount: maybe(count) }).map(given),
      some,
    ),
    ...{ ended: fc.constant(true), resource: fc.constant(resource), instrumentationScope: fc.constant(scope) },
    ...{ droppedAttributesCount: count, droppedEventsCount: count, droppedLinksCount: count },
    own: context,
  })
  .map(({ own, ...fields }) => ({ ...given(fields), spanContext: () => own }));

describe("spans in OTLP's JSON", () => {
  const { serializeRequest, deserializeResponse } = otlpJson(resource, scope);
  const read = (bytes: Uint8Array | undefined): unknown => JSON.parse(Buffer.from(bytes ?? []).toString());

  it("have every field that the SDK's serializer gives them, and no other", () => {
    fc.assert(
      fc.property(fc.array(span, { minLength: 1, maxLength: 3 }), (spans) => {
        expect(read(serializeRequest(spans))).toEqual(read(JsonTraceSerializer.serializeRequest(spans)));
      }),
      { seed: 1, numRuns: 100 },
    );
  });

  it("are complete, however long their texts and however many different ones there are", () => {
    const [one] = fc.sample(span, { seed: 1, numRuns: 1 });
    if (one === undefined) throw new Error("no span was made");
    const spans = Array.from({ length: 1_100 }, (_, at) => ({
      ...{ ...one, events: [], links: [] },
      ...{ name: at === 9 ? "é€".repeat(500_000) : "short", attributes: { at, text: `${at}` } },
    }));
    expect(read(serializeRequest(spans))).toEqual(read(JsonTraceSerializer.serializeRequest(spans)));
  });

  it("have no attribute without a value", () => {
    const [one] = fc.sample(span, { seed: 1, numRuns: 1 });
    if (one === undefined) throw new Error("no span was made");
    const of = (attributes: ReadableSpan["attributes"]) => read(serializeRequest([{ ...one, attributes }]));
    expect(of({ first: undefined, second: 2, third: undefined })).toEqual(of({ second: 2 }));
  });

  it("return the receiver's response", () => {
    const answer = { partialSuccess: { rejectedSpans: "1", errorMessage: "too many" } };
    expect(deserializeResponse(Buffer.from(JSON.stringify(answer)))).toEqual(answer);
  });
});
