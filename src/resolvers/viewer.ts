import { Ctx, Query, Resolver } from "type-graphql";
import type { DataSource } from "../datasources/index.js";
import { InheritsScope } from "../schema/requiresScope.js";
import { isAccountBound, SCOPE_NAMES, type Scope } from "../schema/scopes.js";
import { Viewer } from "../schema/viewer.js";
import type { Rights } from "./access/principal.js";
import type { RequestContext } from "./context.js";

const accountNames = (rights: Rights, scope: Scope, { accounts }: DataSource): readonly string[] =>
  accounts.map(({ name }) => name).filter((name) => rights.on(scope, name));

@Resolver(() => Viewer)
export class ViewerResolver {
  @InheritsScope()
  @Query(() => Viewer, { description: "The client of this request and its scopes" })
  viewer(@Ctx() { principal: { name, rights, expiresAt }, exchange }: RequestContext): Viewer {
    return {
      name,
      isAnonymous: name === null,
      expireTime: expiresAt,
      environment: exchange.environment,
      scopes: SCOPE_NAMES.filter((scope) => rights.has(scope)).map((scope) => ({
        scope,
        accounts: isAccountBound(scope) ? accountNames(rights, scope, exchange) : null,
      })),
    };
  }
}
