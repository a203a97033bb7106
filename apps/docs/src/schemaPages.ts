import {
  buildSchema,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  isUnionType,
} from "graphql";
import { addressOf, type Entry, escapeHtml, type Page } from "./page.js";

/** The reference of the graph: an overview, and a page per type with its fields, arguments and values. */
export function schemaPages(sdl: string): Page[] {
  const schema = buildSchema(sdl);
  const types = Object.values(schema.getTypeMap())
    .filter((type) => !type.name.startsWith("__") && !isSpecifiedScalarType(type))
    .sort((a, b) => a.name.localeCompare(b.name, "en"));
  const usedBy = usesOf(types);
  return [overview(types), ...types.map((type) => typePage(type, usedBy.get(type.name) ?? []))];
}

const ROOTS = ["Query", "Mutation", "Subscription"];
const KINDS: readonly (readonly [title: string, belongs: (type: GraphQLNamedType) => boolean])[] = [
  ["Operations", (type) => ROOTS.includes(type.name)],
  ["Objects", (type) => isObjectType(type) && !ROOTS.includes(type.name) && !/(Connection|Edge|Payload)$/.test(type.name)],
  ["Payloads of mutations", (type) => isObjectType(type) && type.name.endsWith("Payload")],
  ["Pages of lists", (type) => isObjectType(type) && /(Connection|Edge)$/.test(type.name)],
  ["Interfaces and unions", (type) => isInterfaceType(type) || isUnionType(type)],
  ["Enums", isEnumType],
  ["Inputs", isInputObjectType],
  ["Scalars", isScalarType],
];

const pathOf = (name: string): string => `schema/${name}`;
const linkTo = (name: string): string => `<a href="${addressOf(pathOf(name))}">${name}</a>`;
const BUILT_IN = new Set(["String", "Int", "Float", "Boolean", "ID"]);

/** A type as in the schema, with a link to its page. */
function written(type: GraphQLType): string {
  const { name } = getNamedType(type);
  return escapeHtml(String(type)).replace(name, BUILT_IN.has(name) ? name : linkTo(name));
}

/** A description with marked `code` and paragraphs. */
const described = (text: string | null | undefined): string =>
  (text ?? "")
    .split(/\n\s*\n/)
    .filter((paragraph) => paragraph.trim() !== "")
    .map((paragraph) => `<p>${escapeHtml(paragraph.trim()).replaceAll(/`([^`]+)`/g, "<code>$1</code>")}</p>`)
    .join("");

const deprecated = (reason: string | null | undefined): string =>
  reason == null ? "" : `<p class="deprecated">Deprecated. ${escapeHtml(reason)}</p>`;

function overview(types: readonly GraphQLNamedType[]): Page {
  const parts = KINDS.map(([title, belongs]) => ({
    title,
    id: title.toLowerCase().replaceAll(" ", "-"),
    members: types.filter(belongs),
  })).filter(({ members }) => members.length > 0);
  const html = parts.map(
    ({ title, id, members }) =>
      `<h2 id="${id}">${title}</h2>\n<ul class="types">${members.map(({ name }) => `<li>${linkTo(name)}</li>`).join("")}</ul>`,
  );
  return {
    path: "schema",
    title: "Schema",
    section: "Reference",
    html: `<h1>Schema</h1>\n<p>Every type of the graph, as it stands in <code>schema.graphql</code>.</p>\n${html.join("\n")}`,
    headings: parts.map(({ id, title }) => ({ id, text: title })),
    entries: [{ title: "Schema", anchor: "", text: "types of the graph" }],
  };
}

function typePage(type: GraphQLNamedType, users: readonly string[]): Page {
  const members = membersOf(type);
  const facts = [
    kindOf(type),
    isObjectType(type) && type.getInterfaces().length > 0
      ? `implements ${type
          .getInterfaces()
          .map(({ name }) => linkTo(name))
          .join(", ")}`
      : "",
    isUnionType(type)
      ? `one of ${type
          .getTypes()
          .map(({ name }) => linkTo(name))
          .join(", ")}`
      : "",
  ].filter((fact) => fact !== "");
  return {
    path: pathOf(type.name),
    title: type.name,
    section: "",
    html: [
      `<h1>${type.name}</h1>`,
      `<p class="facts">${facts.join(" · ")}</p>`,
      described(type.description),
      isScalarType(type) && type.specifiedByURL != null ? `<p>Specified by ${escapeHtml(type.specifiedByURL)}</p>` : "",
      members.map(({ html }) => html).join("\n"),
      users.length === 0 ? "" : `<h2 id="used-by">Used by</h2><p>${users.map(linkTo).join(", ")}</p>`,
    ].join("\n"),
    headings: [],
    entries: [
      { title: type.name, anchor: "", text: type.description ?? "" },
      ...members.map(({ name, text }): Entry => ({ title: `${type.name}.${name}`, anchor: name, text })),
    ],
  };
}

interface Member {
  readonly name: string;
  readonly text: string;
  readonly html: string;
}

function membersOf(type: GraphQLNamedType): Member[] {
  if (isObjectType(type) || isInterfaceType(type)) return Object.values(type.getFields()).map((field) => fieldOf(field));
  if (isInputObjectType(type)) return Object.values(type.getFields()).map((field) => memberOf(field, valueSuffix(field)));
  if (!isEnumType(type)) return [];
  return type.getValues().map(({ name, description, deprecationReason }) => ({
    name,
    text: description ?? "",
    html: `<section class="member"><h2 id="${name}"><code>${name}</code></h2>${described(description)}${deprecated(deprecationReason)}</section>`,
  }));
}

type Named = GraphQLField<unknown, unknown> | GraphQLInputField | GraphQLArgument;

const memberOf = (field: Named, suffix = "", inside = ""): Member => ({
  name: field.name,
  text: field.description ?? "",
  html: `<section class="member"><h2 id="${field.name}"><code>${field.name}: ${written(field.type as GraphQLOutputType)}${suffix}</code></h2>${described(field.description)}${deprecated(field.deprecationReason)}${inside}</section>`,
});

function fieldOf(field: GraphQLField<unknown, unknown>): Member {
  const rows = field.args.map(
    (argument) =>
      `<dt><code>${argument.name}: ${written(argument.type)}${valueSuffix(argument)}</code></dt><dd>${described(argument.description)}${deprecated(argument.deprecationReason)}</dd>`,
  );
  return memberOf(field, "", rows.length === 0 ? "" : `<h3>Arguments</h3><dl>${rows.join("")}</dl>`);
}

const valueSuffix = ({ defaultValue }: GraphQLInputField | GraphQLArgument): string =>
  defaultValue === undefined ? "" : ` = ${escapeHtml(JSON.stringify(defaultValue))}`;

function kindOf(type: GraphQLNamedType): string {
  if (ROOTS.includes(type.name)) return "operation";
  if (isObjectType(type)) return "object";
  if (isInterfaceType(type)) return "interface";
  if (isUnionType(type)) return "union";
  if (isEnumType(type)) return "enum";
  return isInputObjectType(type) ? "input" : "scalar";
}

/** For each type the names of the types whose fields or arguments use it, in order. */
function usesOf(types: readonly GraphQLNamedType[]): Map<string, string[]> {
  const uses = new Map<string, string[]>();
  const use = (used: GraphQLType, by: string) => {
    const names = uses.get(getNamedType(used).name) ?? [];
    if (!names.includes(by)) names.push(by);
    uses.set(getNamedType(used).name, names);
  };
  for (const type of types) {
    if (isUnionType(type)) for (const member of type.getTypes()) use(member, type.name);
    if (isInputObjectType(type)) for (const field of Object.values(type.getFields())) use(field.type, type.name);
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      use(field.type, type.name);
      for (const argument of field.args) use(argument.type, type.name);
    }
  }
  return uses;
}
