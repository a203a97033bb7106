import { type DocumentNode, type FragmentDefinitionNode, Kind } from "graphql";

type Definition = DocumentNode["definitions"][number];

const isFragment = (definition: Definition): definition is FragmentDefinitionNode => definition.kind === Kind.FRAGMENT_DEFINITION;

export const fragmentsOf = ({ definitions }: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> =>
  new Map(definitions.filter(isFragment).map((fragment) => [fragment.name.value, fragment]));
