import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { bodyTooLong, type HttpAnswer, refusal } from "../arrival/answer.js";

/** Whether a client accepts HTML, as a browser does when it opens an address. */
const acceptsHtml = (accept: string | undefined): boolean => accept?.includes("text/html") === true;

const send = (reply: FastifyReply, { status, headers, body }: HttpAnswer): FastifyReply =>
  reply.code(status).headers(headers).send(body);

const NOT_A_GRAPH = refusal(405, "Use GET or HEAD. GraphQL is served at /graphql.");
const READ_ONLY: HttpAnswer = { ...NOT_A_GRAPH, headers: { ...NOT_A_GRAPH.headers, allow: "GET, HEAD" } };

const NOTHING = refusal(404, "There is nothing here. GraphQL is served at /graphql, and a page to explore it at /graphiql.");

const DOCS_LINK = '\n      <li><a href="/docs">The documentation</a></li>';

/** The same as a page, with links to the pages that exist. */
export const nothingForBrowsers = (hasDocs: boolean): HttpAnswer => ({
  status: 404,
  headers: { "content-type": "text/html; charset=utf-8", vary: "accept" },
  body: `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Nothing here: exchange-graph</title>
  </head>
  <body>
    <h1>There is nothing here</h1>
    <ul>
      <li><a href="/">The start page</a></li>
      <li><a href="/graphiql">GraphiQL</a>, to explore the graph</li>${hasDocs ? DOCS_LINK : ""}
      <li><code>/graphql</code>, where programs ask</li>
    </ul>
  </body>
</html>
`,
});

/** Handles unknown routes (`forBrowsers` for browsers), and errors before or outside GraphQL. Internal errors are not shown. */
export function refuse(app: FastifyInstance, maxBodyBytes: number, forBrowsers: HttpAnswer = NOTHING): void {
  app.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) => {
    const isOtherMethod = app.hasRoute({ method: "GET", url: request.url.split("?", 1)[0] ?? "" });
    return send(reply, isOtherMethod ? READ_ONLY : acceptsHtml(request.headers.accept) ? forBrowsers : NOTHING);
  });
  app.setErrorHandler((error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    const status = error.statusCode ?? 500;
    if (status === 413) return send(reply, bodyTooLong(maxBodyBytes));
    if (status < 500) return send(reply, refusal(status, "The request could not be read."));
    request.log.error({ err: error }, "unexpected error in a request");
    return send(reply, refusal(500, "Internal server error"));
  });
}
