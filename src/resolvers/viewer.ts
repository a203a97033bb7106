import { Query, Resolver } from "type-graphql";
import { Viewer } from "../schema/viewer.js";

@Resolver(() => Viewer)
export class ViewerResolver {
  @Query(() => Viewer, { description: "Who is asking, as this gateway sees it" })
  viewer(): Viewer {
    return { name: null, isAnonymous: true };
  }
}
