import { readdirSync, readFileSync } from "node:fs";
import { type DocumentNode, Kind, type OperationTypeNode, parse } from "graphql";

const FOLDER = new URL("../../docs/examples/", import.meta.url);

/** A document of `docs/examples`: one operation. */
export interface Example {
  readonly file: string;
  readonly text: string;
  readonly document: DocumentNode;
  readonly operation: OperationTypeNode;
}

function exampleOf(file: string): Example {
  const text = readFileSync(new URL(file, FOLDER), "utf8");
  const document = parse(text);
  const [definition, ...others] = document.definitions;
  if (definition?.kind !== Kind.OPERATION_DEFINITION || others.length > 0) throw new Error(`${file} is not one operation`);
  return { file, text, document, operation: definition.operation };
}

export const EXAMPLES: readonly Example[] = readdirSync(FOLDER).map(exampleOf);

/** The examples of one kind. */
export const examplesOf = (operation: `${OperationTypeNode}`): readonly Example[] =>
  EXAMPLES.filter((example) => example.operation === operation);

/** The text of an example, by its file name without extension. */
export const example = (name: string): string => {
  const found = EXAMPLES.find(({ file }) => file === `${name}.graphql`);
  if (found === undefined) throw new Error(`there is no example ${name}`);
  return found.text;
};
