import type { Endpoint } from "@exchange-graph/contract/endpoint";
import type { Handler } from "../handlers/handler.js";
import { asServed } from "./parameters.js";

/** Route of a call: the endpoint in the contract, the endpoint as the exchange accepts it, and its handler. */
export interface Route {
  readonly endpoint: Endpoint;
  readonly served: Endpoint;
  readonly handler: Handler;
}

/** Finds the route of a call by method and path, aliases included. */
export class Router {
  readonly #routes = new Map<string, Route>();

  constructor(handlers: readonly Handler[]) {
    for (const handler of handlers) {
      const { endpoint } = handler;
      const route = { endpoint, served: asServed(endpoint), handler };
      for (const path of [endpoint.path, ...(endpoint.aliases ?? [])]) {
        const key = `${endpoint.method} ${path}`;
        if (this.#routes.has(key)) throw new Error(`two handlers for ${key}`);
        this.#routes.set(key, route);
      }
    }
  }

  find(method: string, path: string): Route | undefined {
    return this.#routes.get(`${method} ${path}`);
  }

  get endpoints(): readonly Endpoint[] {
    return [...new Set([...this.#routes.values()].map(({ endpoint }) => endpoint))];
  }
}
