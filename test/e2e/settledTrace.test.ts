import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { checkJournal } from "../../src/datasources/writes/journal/sqlite/maintenance.js";
import { LEASE_MS } from "../../src/datasources/writes/journal/writeJournal.js";
import { post } from "../support/ask.js";
import { leaks } from "../support/leaks.js";
import { type TcpProxy, tcpProxy } from "../support/tcpProxy.js";
import { otlpReceiver, type Receiver } from "../telemetry/traces/receiver.js";
import { MAIN_KEYS, type Product, servingProduct } from "./product.js";

const TRACE = "0af7651916cd43dd8448eb211c80319c";

let sandbox: Sandbox;
let line: TcpProxy;
let receiver: Receiver;
let folder: string;
let settings: Record<string, string>;
beforeAll(async () => {
  [sandbox, receiver, folder] = await Promise.all([
    startSandbox({ signedQuery: "decoded", hasPast: false }),
    otlpReceiver(),
    mkdtemp(join(tmpdir(), "settled-trace-")),
  ]);
  line = await tcpProxy(sandbox.url);
  settings = {
    EXCHANGE_BASE_URL: `http://${line.host}`,
    ...MAIN_KEYS,
    JOURNAL_PATH: join(folder, "journal.sqlite"),
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url.href,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    // Only traces that a client has sampled are recorded.
    OTEL_TRACES_SAMPLER_ARG: "0",
    OTEL_BSP_SCHEDULE_DELAY: "20",
    LOG_LEVEL: "debug",
  };
});
afterAll(async () => {
  await Promise.all([line.close(), receiver.close(), sandbox.close()]);
  await rm(folder, { recursive: true });
});

const place = async ({ url }: Product, clientOid: string, headers: Record<string, string> = {}): Promise<unknown> => {
  const query = `mutation { placeOrder(input: {
    account: "main", category: SPOT, symbol: "BTCUSDT", side: BUY, orderType: LIMIT, qty: "0.001", price: "50000", clientOid: "${clientOid}"
  }) { outcome } }`;
  const response = await post(url, { query }, headers);
  return response.json();
};

describe("the trace of a write whose gateway was killed before its answer came", () => {
  it("goes on in the gateway that settles it: its span links to the write's, and the log names the trace", async () => {
    const first = await servingProduct(settings);
    expect(await place(first, "before")).toMatchObject({ data: { placeOrder: { outcome: "ACCEPTED" } } });
    const sent = () => sandbox.calls.of("placeOrder").total;
    const before = sent();
    line.deafen();
    const lost = place(first, "killed", { traceparent: `00-${TRACE}-b7ad6b7169203331-01` });
    const failed = expect(lost).rejects.toThrow("fetch failed");
    await vi.waitFor(() => expect([sent(), receiver.named("write.journal").length]).toEqual([before + 1, 1]), 30_000);
    await first.stop("SIGKILL");
    await failed;
    const [ofJournal] = receiver.named("write.journal");
    expect(ofJournal?.traceId).toBe(TRACE);
    expect(receiver.named("write")).toEqual([]);

    line.mend();
    // As if the killed gateway's lease had expired.
    checkJournal(settings.JOURNAL_PATH ?? "", Date.now() + LEASE_MS);
    const second = await servingProduct(settings);
    await vi.waitFor(() => expect(receiver.named("write.settle")).toHaveLength(1), 60_000);
    expect(await second.stop()).toBe(0);
    expect(receiver.named("write.settle")).toMatchObject([
      {
        traceId: TRACE,
        attributes: { "exchange_graph.mutation": "placeOrder", "exchange_graph.write.state": "ACCEPTED" },
        // The journal's span is a child of the write's span.
        links: [{ traceId: TRACE, spanId: ofJournal?.parentSpanId }],
      },
    ]);
    const ended = second
      .output()
      .split("\n")
      .filter((text) => text.includes('"a write has ended"'));
    expect(ended.map((text) => JSON.parse(text))).toMatchObject([{ clientOid: "killed", state: "ACCEPTED", traceId: TRACE }]);
    leaks.search(await readFile(settings.JOURNAL_PATH ?? "", "latin1"), "the journal");
  });
});
