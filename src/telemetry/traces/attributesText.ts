import type { Attributes, AttributeValue } from "@opentelemetry/api";

const MAX_NAMES = 100;
const MAX_VALUES = 1_000;

/**
 * Cache of attributes as text, by name and value: most of them recur. Clients choose some of the values, so a full map is
 * cleared.
 */
const WRITTEN = new Map<string, Map<unknown, string>>();

/** Attributes in OTLP's JSON, without the brackets; undefined values are left out. */
export function attributesText(attributes: Attributes = {}): string {
  let text = "";
  for (const name of Object.keys(attributes)) {
    const value = attributes[name];
    if (value === undefined) continue;
    const attribute = typeof value === "object" ? attributeText(name, value) : knownText(name, value);
    text += text === "" ? attribute : `,${attribute}`;
  }
  return text;
}

function knownText(name: string, value: AttributeValue): string {
  const values = WRITTEN.get(name) ?? added(WRITTEN, name, new Map<unknown, string>(), MAX_NAMES);
  return values.get(value) ?? added(values, value, attributeText(name, value), MAX_VALUES);
}

function added<K, V>(map: Map<K, V>, key: K, value: V, max: number): V {
  if (map.size >= max) map.clear();
  map.set(key, value);
  return value;
}

const attributeText = (name: string, value: AttributeValue): string =>
  `{"key":${JSON.stringify(name)},"value":${valueText(value)}}`;

function valueText(value: AttributeValue | null | undefined): string {
  switch (typeof value) {
    case "string":
      return `{"stringValue":${JSON.stringify(value)}}`;
    case "number":
      return `{"${Number.isInteger(value) ? "intValue" : "doubleValue"}":${JSON.stringify(value)}}`;
    case "boolean":
      return `{"boolValue":${value}}`;
    default:
      return Array.isArray(value) ? `{"arrayValue":{"values":[${value.map(valueText).join()}]}}` : "{}";
  }
}
