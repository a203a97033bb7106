import { createHash } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { ClientPrincipal } from "../../../access/principal/clientPrincipal.js";
import type { ClientBudgets } from "../../../access/quotas/clientBudgets.js";
import { VERSION } from "../../../config/version.js";
import { clientGone, Fault, type Requester } from "../../../datasources/index.js";
import { asGraphqlError } from "../../../engine/errors/coded.js";
import { type ExportClient, type ExportQuery, headOf, linesOf, type OpenExport } from "../../../exports/index.js";
import { type HttpAnswer, methodRefusal, refusal, SECURITY_HEADERS, STOPPING } from "../../arrival/answer.js";
import { Arrival, presenceOf } from "../../arrival/arrival.js";
import type { ArrivalParts } from "../../arrival/arrivalParts.js";
import { endIfStalled, writeAnswer } from "../writeAnswer.js";
import { type ExportRequest, exportIn, fileOf } from "./exportRequest.js";

export type OpenExports = (
  query: ExportQuery,
  client: Omit<ExportClient, "newContext"> & { readonly principal: ClientPrincipal; readonly requester: Requester },
) => Promise<OpenExport>;

interface ExportRouteOptions {
  readonly open: OpenExports;
  readonly budgets: ClientBudgets;
}

/** Maximum number of exports under way: of one client, and in total. */
const MOST_EXPORTS = { ofClient: 2, all: 8 } as const;
/** Maximum time of one request. A further request can continue the file. */
const LONGEST_EXPORT_MS = 60 * 60_000;

const TYPES = { csv: "text/csv; charset=utf-8", koinly: "text/csv; charset=utf-8", jsonl: "application/jsonl; charset=utf-8" };

/** HTTP status by the code of an error before the first byte. */
const STATUS: ReadonlyMap<unknown, number> = new Map([
  ["BAD_USER_INPUT", 400],
  ["FORBIDDEN", 403],
  ["ACCOUNT_MODE_MISMATCH", 409],
  ["RATE_LIMITED", 429],
  ["INTERNAL_SERVER_ERROR", 500],
]);

/** `GET /export`: one kind of an account's data over a range of time, as a file. */
export class ExportRoute {
  /** Exports under way, with their clients. */
  readonly #running = new Map<AbortController, string>();
  #isClosed = false;

  constructor(
    private readonly parts: ArrivalParts,
    private readonly options: ExportRouteOptions,
  ) {}

  readonly serve: RequestListener = (request, response) => {
    const arrival = new Arrival(this.parts, request, "http");
    const refuse = (answer: HttpAnswer): void => {
      arrival.refused(answer.refusalCode);
      writeAnswer(response, { ...answer, isLast: true }, arrival.requestId);
    };
    const fail = (error: unknown): void =>
      writeAnswer(response, { ...this.#answerTo(error, arrival), isLast: true }, arrival.requestId);
    if (this.#isClosed) refuse(STOPPING);
    else if (request.method !== "GET") refuse(OTHER_METHOD);
    else if (!this.parts.origins.allows(request)) refuse(OTHER_PAGE);
    else arrival.admit({ refuse, fail }, () => void this.#admitted(arrival, request, response).catch(fail));
  };

  /** Ends all exports: clients see that their files are not complete. */
  close(): void {
    this.#isClosed = true;
    for (const [controller] of this.#running) controller.abort(new Fault("UNAVAILABLE", "the gateway is stopping"));
  }

  /** Rejects with an error before the first byte. */
  async #admitted(arrival: Arrival, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { principal, requester } = arrival.caller(presenceOf(request.socket));
    const waitMs = this.options.budgets.operation(principal.id);
    if (waitMs !== undefined) throw limited("too many operations", waitMs);
    const exportRequest = exportIn(request);
    const own = [...this.#running.values()].filter((client) => client === requester.client).length;
    if (own >= MOST_EXPORTS.ofClient || this.#running.size >= MOST_EXPORTS.all)
      throw limited(`more than ${MOST_EXPORTS.ofClient} exports of a client, or ${MOST_EXPORTS.all} in total, at once`, RETRY_MS);
    const controller = new AbortController();
    this.#running.set(controller, requester.client);
    const abort = (why: Fault): void => controller.abort(why);
    const cancel = this.parts.clock.after(LONGEST_EXPORT_MS, () =>
      abort(new Fault("EXCHANGE_TIMEOUT", `the export has taken longer than ${LONGEST_EXPORT_MS / 60_000} minutes`)),
    );
    const unwatch = arrival.watch(abort);
    response.once("close", () => abort(clientGone()));
    try {
      await this.#export(exportRequest, arrival, { principal, requester, signal: controller.signal }, response);
    } finally {
      cancel();
      unwatch();
      this.#running.delete(controller);
    }
  }

  /** Writes the file. Rejects with an error before the first byte; after that the connection is destroyed. */
  async #export(
    exportRequest: ExportRequest,
    arrival: Arrival,
    client: { readonly principal: ClientPrincipal; readonly requester: Requester; readonly signal: AbortSignal },
    response: ServerResponse,
  ): Promise<void> {
    const { kind, format } = exportRequest;
    const { budgets, open } = this.options;
    const { id } = client.principal;
    const audited = { account: exportRequest.account, kind, format };
    let rows = 0;
    let code: string | null = null;
    try {
      const found = await open(exportRequest, {
        ...client,
        allowance: () => budgets.calls(id, 1),
        spent: (calls) => budgets.settle(id, 1, calls),
      });
      const hash = createHash("sha256");
      const write = async (text: string): Promise<void> => {
        hash.update(text);
        if (text !== "" && !response.write(text)) await drained(response, client.signal);
      };
      response.writeHead(200, {
        ...SECURITY_HEADERS,
        ...{ "content-type": TYPES[format], "cache-control": "no-store", "x-request-id": arrival.requestId },
        "content-disposition": `attachment; filename="${fileOf(exportRequest)}"`,
        ...{
          "x-export-from": utc(found.from),
          "x-export-to": utc(found.to),
          "x-export-listed-from": utc(found.listedFrom),
          "x-export-user": found.user,
        },
        ...{ "x-export-version": VERSION, trailer: "x-export-rows, x-export-sha256" },
      });
      response.flushHeaders();
      await write(exportRequest.isContinued ? "" : headOf(kind, format));
      for await (const slice of found.slices) {
        if (client.signal.aborted) throw client.signal.reason;
        rows += slice.rows.length;
        await write(linesOf(kind, format, slice.rows));
      }
      response.addTrailers({ "x-export-rows": String(rows), "x-export-sha256": hash.digest("hex") });
      response.end();
      endIfStalled(response);
    } catch (error) {
      const why: unknown = client.signal.aborted ? client.signal.reason : error;
      code = why instanceof Fault ? why.code : "INTERNAL_SERVER_ERROR";
      if (!response.headersSent) throw why;
      this.parts.engine.results.shown([asGraphqlError(why)], arrival.origin);
      // Destroyed without the end of the body, so that every client sees an incomplete file.
      response.destroy();
    } finally {
      const { origin } = arrival;
      this.parts.instrumentation.exported.publish({
        origin,
        ...audited,
        from: exportRequest.from,
        to: exportRequest.to ?? null,
        rows,
        code,
      });
    }
  }

  #answerTo(error: unknown, arrival: Arrival): HttpAnswer {
    const [shown] = this.parts.engine.results.shown([asGraphqlError(error)], arrival.origin);
    const { code, retryAfterMs } = shown?.extensions ?? {};
    const retry = typeof retryAfterMs === "number" ? { "retry-after": String(Math.ceil(retryAfterMs / 1_000)) } : {};
    return {
      status: STATUS.get(code) ?? 503,
      headers: { ...JSON_TYPE, ...retry },
      body: JSON.stringify({ errors: [shown] }),
    };
  }
}

const utc = (time: number): string => new Date(time).toISOString();

const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };
const OTHER_METHOD = methodRefusal("GET");
const OTHER_PAGE = refusal(403, "Pages of other origins may not export.");
const RETRY_MS = 5_000;
const limited = (what: string, retryAfterMs: number): Fault => new Fault("RATE_LIMITED", what, { retryAfterMs });

/** Waits until the client has taken what was written; one that takes nothing for long is cut off. */
async function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  endIfStalled(response);
  await once(response, "drain", { signal });
  // Reading the next rows may take longer than the timeout of a stalled client.
  response.socket?.setTimeout(0);
}
