import { type Field, RecordField, type Source, writeFields } from "./fields.js";
import type { Path, Run } from "./run.js";
import { isAsItIs, type Text } from "./text.js";

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

/**
 * Nothing but names of the schema goes into its text; what a document calls its fields does not. A quote that ends a value is
 * written with the label after it: the fewer the pieces, the sooner they are one text.
 */
function compile(fields: readonly Field[]): WriteObject {
  const lines = fields.map((field, at) => {
    if (!(field instanceof RecordField))
      return `const text${at} = field${at}.write(run, source, path);
      ${written(at)}`;
    const value = `const value${at} = source[${JSON.stringify(field.name)}];`;
    const bare = field.isText
      ? `typeof value${at} === "string" && isAsItIs(value${at}) ? value${at} : undefined`
      : `field${at}.bare(value${at})`;
    return `${value}
      const bare${at} = ${bare};
      if (bare${at} !== undefined) {
        text += (isOpen ? openQuoted${at} : quoted${at}) + bare${at};
        isOpen = true;
      } else {
        const text${at} = field${at}.writeRead(run, source, path, value${at});
        ${written(at)}
      }`;
  });
  const constants = fields.map(
    (_, at) => `const field${at} = fields[${at}], label${at} = field${at}.label, open${at} = '"' + label${at},
      quoted${at} = label${at} + '"', openQuoted${at} = open${at} + '"';`,
  );
  const make = new Function(
    ...["fields", "isAsItIs", "writeFields"],
    `"use strict";
    ${constants.join("\n")}
    return (run, source, path) => {
      let text = "{";
      /** Is the quote behind the last value still to be written? */
      let isOpen = false;
      ${lines.join("\n")}
      return text + (isOpen ? '"}' : "}");
    };`,
  );
  return make(fields, isAsItIs, writeFields);
}

/** Adds what a field has written, or goes on with what it has begun to write. */
const written = (at: number): string =>
  `if (typeof text${at} !== "string")
        return writeFields(run, fields, source, path, isOpen ? text + '"' : text, ${at}, text${at});
      text += (isOpen ? open${at} : label${at}) + text${at};
      isOpen = false;`;
