import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import { leaks } from "../../support/leaks.js";

/** A value in OTLP's JSON format. The gateway sends strings, integers and lists of strings. */
const value = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ intValue: z.number().int() }),
  z.strictObject({ doubleValue: z.number() }),
  z.strictObject({ arrayValue: z.strictObject({ values: z.array(z.strictObject({ stringValue: z.string() })) }) }),
]);
const attributes = z.array(z.strictObject({ key: z.string().min(1), value }));
const traceId = z.string().regex(/^(?!0{32})[\da-f]{32}$/);
const spanId = z.string().regex(/^(?!0{16})[\da-f]{16}$/);
const nanos = z.string().regex(/^[1-9]\d{18}$/);
const dropped = z.number().int().nonnegative();

const span = z.strictObject({
  traceId,
  spanId,
  parentSpanId: spanId.optional(),
  traceState: z.string().optional(),
  name: z.string().min(1),
  /** 1: internal, 2: server, 3: client. */
  kind: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  startTimeUnixNano: nanos,
  endTimeUnixNano: nanos,
  attributes,
  droppedAttributesCount: dropped,
  events: z.array(z.strictObject({ name: z.string(), timeUnixNano: nanos, attributes, droppedAttributesCount: dropped })),
  droppedEventsCount: dropped,
  status: z.strictObject({ code: z.union([z.literal(0), z.literal(1), z.literal(2)]), message: z.string().optional() }),
  links: z.array(
    z.strictObject({ traceId, spanId, attributes, droppedAttributesCount: dropped, flags: z.number().int().optional() }),
  ),
  droppedLinksCount: dropped,
  flags: z.number().int(),
});

/** The body of `POST /v1/traces`, as defined by OTLP. */
const exported = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes, droppedAttributesCount: dropped }),
      scopeSpans: z.array(z.strictObject({ scope: z.strictObject({ name: z.string() }), spans: z.array(span) })),
    }),
  ),
});

/** A received span, with its attributes by name. */
export interface ReceivedSpan extends Omit<z.infer<typeof span>, "attributes"> {
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** An OTLP receiver that rejects invalid requests and searches the others for secrets. */
export interface Receiver {
  readonly url: URL;
  readonly spans: ReceivedSpan[];
  readonly texts: string[];
  readonly headers: IncomingHttpHeaders[];
  /** Attributes of the received resources. */
  readonly resources: unknown[];
  named(name: string): readonly ReceivedSpan[];
  close(): Promise<void>;
}

/** Starts it. */
export async function otlpReceiver(status = 200): Promise<Receiver> {
  const spans: ReceivedSpan[] = [];
  const texts: string[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const resources: unknown[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    leaks.search(body, "a span");
    texts.push(body);
    headers.push(request.headers);
    if (request.headers["content-type"] === "application/x-protobuf") {
      response.writeHead(status).end();
      return;
    }
    const isPosted = request.method === "POST" && request.url === "/v1/traces";
    const read = exported.safeParse(JSON.parse(body));
    if (!isPosted || !read.success) {
      texts.push(`refused: ${request.method} ${request.url} ${read.error?.message}`);
      response.writeHead(400).end();
      return;
    }
    for (const { resource, scopeSpans } of read.data.resourceSpans) {
      resources.push(plain(resource.attributes));
      for (const { spans: received } of scopeSpans)
        spans.push(...received.map((one) => ({ ...one, attributes: plain(one.attributes) })));
    }
    response.writeHead(status, { "content-type": "application/json" }).end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}`),
    spans,
    texts,
    headers,
    resources,
    named: (name) => spans.filter((one) => one.name === name),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const plain = (given: z.infer<typeof attributes>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    given.map(({ key, value }) => [
      key,
      "arrayValue" in value ? value.arrayValue.values.map(({ stringValue }) => stringValue) : Object.values(value)[0],
    ]),
  );
