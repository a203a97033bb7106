import { type Field, type ParentRecord, RecordField, writeFields } from "./fields.js";
import type { Path, Run } from "./run.js";
import { isAsItIs, type Text } from "./text.js";

/**
 * Number of written objects after which a selection gets a generated function. Most documents of a hostile client never reach it.
 */
const WORTH_COMPILING = 60;

type WriteObject = (run: Run, source: ParentRecord, path: Path) => Text;

/**
 * Writes the objects of one selection. After many objects it uses a generated function with one line per field, so that V8
 * optimises each property access separately, which it cannot in a loop over all kinds of fields.
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
 * Generates the function. Its source contains names of the schema only, no aliases of the document. A closing quote is written
 * together with the next label, because fewer concatenations are faster.
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
      /** Whether the closing quote of the last value is still to be written. */
      let isOpen = false;
      ${lines.join("\n")}
      return text + (isOpen ? '"}' : "}");
    };`,
  );
  return make(fields, isAsItIs, writeFields);
}

/** Code that appends a field's text, or continues asynchronously if it is a promise. */
const written = (at: number): string =>
  `if (typeof text${at} !== "string")
        return writeFields(run, fields, source, path, isOpen ? text + '"' : text, ${at}, text${at});
      text += (isOpen ? open${at} : label${at}) + text${at};
      isOpen = false;`;
