import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One call as received. */
export interface ReceivedCall {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly target: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** A response: `data` in an envelope, an error, raw text, or none. */
export type Script = (call: ReceivedCall, response: ServerResponse) => Scripted | Promise<Scripted>;
export type Scripted =
  | { readonly data: unknown; readonly requestTime?: number; readonly headers?: Record<string, string> }
  | { readonly code: string; readonly msg?: string; readonly status?: number; readonly requestTime?: number }
  | { readonly raw: string | Uint8Array; readonly status?: number; readonly headers?: Record<string, string> }
  | "reset"
  | "silence";

/** A scripted exchange that records its calls, for tests that need responses the sandbox does not give. */
export interface ScriptedExchange {
  readonly url: URL;
  readonly calls: ReceivedCall[];
  /** Sets the response of a path. */
  on(path: string, script: Script | Scripted): void;
  callsOf(path: string): ReceivedCall[];
  close(): Promise<void>;
}

export async function scriptedExchange(): Promise<ScriptedExchange> {
  const scripts = new Map<string, Script>();
  const calls: ReceivedCall[] = [];
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const call = {
      method: request.method ?? "",
      path: url.pathname,
      query: url.searchParams,
      target: request.url ?? "",
      headers: request.headers,
      body,
    };
    calls.push(call);
    const scripted = await (scripts.get(url.pathname)?.(call, response) ?? {
      code: "40404",
      msg: "Request URL NOT FOUND",
      status: 404,
    });
    if (scripted === "silence") return;
    if (scripted === "reset") {
      request.socket.resetAndDestroy();
      return;
    }
    if ("raw" in scripted) {
      response.writeHead(scripted.status ?? 200, scripted.headers).end(scripted.raw);
      return;
    }
    const requestTime = scripted.requestTime ?? Date.now();
    const failed = "code" in scripted;
    const envelope = failed
      ? { code: scripted.code, msg: scripted.msg ?? "", requestTime, data: null }
      : { code: "00000", msg: "success", requestTime, data: scripted.data };
    response
      .writeHead(failed ? (scripted.status ?? 400) : 200, {
        "content-type": "application/json",
        ...(failed ? {} : scripted.headers),
      })
      .end(JSON.stringify(envelope));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    calls,
    on: (path, script) => {
      scripts.set(path, typeof script === "function" ? script : () => script);
    },
    callsOf: (path) => calls.filter((call) => call.path === path),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
