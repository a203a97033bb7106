import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { refusal } from "./answer.js";

const send = (reply: FastifyReply, status: number, message: string): FastifyReply => {
  const { headers, body } = refusal(status, message);
  return reply.code(status).headers(headers).send(body);
};

/** What is answered where no route is, or where a request fails before or outside GraphQL. No text of an inner error. */
export function refuse(app: FastifyInstance, maxBodyBytes: number): void {
  app.setNotFoundHandler((_request: FastifyRequest, reply: FastifyReply) =>
    send(reply, 404, "There is nothing here. GraphQL is served at /graphql."),
  );
  app.setErrorHandler((error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    const status = error.statusCode ?? 500;
    if (status === 413) return send(reply, 413, `The request body is longer than ${maxBodyBytes} bytes.`);
    if (status < 500) return send(reply, status, "The request could not be read.");
    request.log.error({ err: error }, "unexpected error in a request");
    return send(reply, 500, "Internal server error");
  });
}
