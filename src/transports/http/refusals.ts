import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Answer, bodyTooLong, refusal } from "./answer.js";

const send = (reply: FastifyReply, { status, headers, body }: Answer): FastifyReply =>
  reply.code(status).headers(headers).send(body);

/** What is answered where no route is, or where a request fails before or outside GraphQL. No text of an inner error. */
export function refuse(app: FastifyInstance, maxBodyBytes: number): void {
  app.setNotFoundHandler((_request: FastifyRequest, reply: FastifyReply) =>
    send(reply, refusal(404, "There is nothing here. GraphQL is served at /graphql.")),
  );
  app.setErrorHandler((error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    const status = error.statusCode ?? 500;
    if (status === 413) return send(reply, bodyTooLong(maxBodyBytes));
    if (status < 500) return send(reply, refusal(status, "The request could not be read."));
    request.log.error({ err: error }, "unexpected error in a request");
    return send(reply, refusal(500, "Internal server error"));
  });
}
