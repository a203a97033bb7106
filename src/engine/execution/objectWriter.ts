import { type Field, RecordField, type Source, writeFields } from "./fields.js";
import type { Path, Run } from "./run.js";
import { quoted, type Text } from "./text.js";

/** Objects that a selection has written before it is worth a function of its own: most documents of a hostile client never are. */
const WORTH_COMPILING = 60;

type WriteObject = (run: Run, source: Source, path: Path) => Text;

/**
 * Writes the objects of one selection. Once there were many, it does so with one function that has a line for each field: the
 * engine then knows at each line where the value lies in the record, which it does not in a loop over all kinds of fields.
 */
export function objectWriter(fields: readonly Field[]): WriteObject {
  let compiled: WriteObject | undefined;
  let objects = 0;
  return (run, source, path) => {
    if (compiled !== undefined) return compiled(run, source, path);
    if (++objects === WORTH_COMPILING) compiled = compile(fields);
    return writeFields(run, fields, source, path);
  };
}

/** Nothing but names of the schema goes into its text; what a document calls its fields does not. */
function compile(fields: readonly Field[]): WriteObject {
  const lines = fields.map((field, at) => {
    const value = field instanceof RecordField ? `source[${JSON.stringify(field.name)}]` : undefined;
    const read = value === undefined ? "" : `const value${at} = ${value};`;
    const other =
      value === undefined ? `field${at}.write(run, source, path)` : `field${at}.writeRead(run, source, path, value${at})`;
    const text =
      field instanceof RecordField && field.isText ? `typeof value${at} === "string" ? quoted(value${at}) : ${other}` : other;
    return `${read}
      const text${at} = ${text};
      if (typeof text${at} !== "string") return writeFields(run, fields, source, path, text, ${at}, text${at});
      text += label${at} + text${at};`;
  });
  const make = new Function(
    ...["fields", "quoted", "writeFields"],
    `"use strict";
    ${fields.map((_, at) => `const field${at} = fields[${at}], label${at} = field${at}.label;`).join("\n")}
    return (run, source, path) => {
      let text = "{";
      ${lines.join("\n")}
      return text + "}";
    };`,
  );
  return make(fields, quoted, writeFields);
}
