/** Sends a request of GraphQL to a gateway over HTTP. */
export const post = (url: string, request: object, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(request),
  });
