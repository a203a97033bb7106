import type { Exchange } from "../datasources/index.js";
import { isAccountBound, SCOPE_NAMES, type Scope } from "../schema/scopes.js";
import { Viewer } from "../schema/viewer.js";
import type { Rights } from "./access/principal.js";
import { query, resolversOf } from "./fieldTable.js";

const accountNames = (rights: Rights, scope: Scope, { accounts }: Exchange): readonly string[] =>
  accounts.map(({ name }) => name).filter((name) => rights.on(scope, name));

export const ViewerResolver = resolversOf(null, {
  viewer: query(null, Viewer, {
    description: "The client of this request and its scopes",
    nullable: false,
    resolve: ({ principal: { name, rights, expiresAt }, exchange }) => ({
      name,
      isAnonymous: name === null,
      expireTime: expiresAt,
      environment: exchange.environment,
      scopes: SCOPE_NAMES.filter((scope) => rights.has(scope)).map((scope) => ({
        scope,
        accounts: isAccountBound(scope) ? accountNames(rights, scope, exchange) : null,
      })),
    }),
  }),
});
