/** The part of Lua that the product's scripts are written in: they run here as they are, for Redis's model. */

export type Value = string | number | boolean | Table | Callable | undefined;
export type Callable = (args: readonly Value[]) => readonly Value[];

/** An error that a script meets: it ends the script. */
export class LuaError extends Error {}

export class Table {
  /** Its values from key 1 up to the first that is absent. */
  readonly #list: Value[] = [];
  #others: Map<Value, Value> | undefined;

  static of(values: readonly Value[]): Table {
    const table = new Table();
    for (let at = 0; at < values.length; at++) table.set(at + 1, values[at]);
    return table;
  }

  get(key: Value): Value {
    return this.#isListed(key) ? this.#list[key - 1] : this.#others?.get(key);
  }

  set(key: Value, value: Value): void {
    if (value !== undefined && key === this.#list.length + 1) {
      this.#list.push(value);
      this.#others?.delete(key);
      this.#gather();
    } else if (!this.#isListed(key)) {
      if (value === undefined) this.#others?.delete(key);
      else {
        this.#others ??= new Map();
        this.#others.set(key, value);
      }
    } else if (value !== undefined) this.#list[key - 1] = value;
    else {
      const after = this.#list.splice(key - 1).slice(1);
      for (const [at, other] of after.entries()) this.set(key + at + 1, other);
    }
  }

  #isListed(key: Value): key is number {
    return typeof key === "number" && Number.isInteger(key) && key > 0 && key <= this.#list.length;
  }

  /** Takes over the values that the list has reached. */
  #gather(): void {
    while (this.#others !== undefined && this.#others.size > 0) {
      const key = this.#list.length + 1;
      const next = this.#others.get(key);
      if (next === undefined) break;
      this.#others.delete(key);
      this.#list.push(next);
    }
  }

  get length(): number {
    return this.#list.length;
  }

  /** Its list part. */
  get list(): Value[] {
    return [...this.#list];
  }

  get pairs(): (readonly [Value, Value])[] {
    return [...this.#list.map((value, at) => [at + 1, value] as const), ...(this.#others ?? [])];
  }
}

type Frame = Value[];
type Expression = (frame: Frame) => Value;
type Many = (frame: Frame) => readonly Value[];
interface Operand {
  readonly one: Expression;
  /** All values of a call. */
  readonly many?: Many | undefined;
  readonly assign?: ((frame: Frame, value: Value) => void) | undefined;
}
/** Returns what the script returns, if the statement ends it. */
type Statement = (frame: Frame) => readonly Value[] | typeof BREAK | undefined;
const BREAK = Symbol("break");

const TOKEN =
  /\s+|--[^\n]*|(?<name>[A-Za-z_]\w*)|(?<number>\d+(?:\.\d+)?)|(?<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(?<sign>\.\.|==|~=|<=|>=|[-+*/%^#<>=(){}[\];:,.])/gy;
const WORDS: ReadonlySet<string> = new Set(
  "and break do else elseif end false for function if in local nil not or return then true while".split(" "),
);

interface Token {
  readonly kind: "name" | "number" | "text" | "sign" | "end";
  readonly text: string;
}

function tokensOf(source: string): readonly Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < source.length) {
    const at = TOKEN.lastIndex;
    const { groups } = TOKEN.exec(source) ?? {};
    if (TOKEN.lastIndex <= at) throw new SyntaxError(`the interpreter does not know ${source.slice(at, at + 20)}`);
    for (const kind of ["name", "number", "text", "sign"] as const) {
      const text = groups?.[kind];
      if (text !== undefined) tokens.push({ kind: kind === "name" && WORDS.has(text) ? "sign" : kind, text });
    }
  }
  return [...tokens, { kind: "end", text: "" }];
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };
const unquoted = (text: string): string => text.slice(1, -1).replace(/\\(.)/g, (_, one: string) => ESCAPES[one] ?? one);

export const truthy = (value: Value): boolean => value !== undefined && value !== false;
/** As `%.14g` writes it. */
export const textOf = (value: Value): string =>
  typeof value === "number"
    ? Number.isInteger(value) && Math.abs(value) < 1e14
      ? value.toFixed(0)
      : Number(value.toPrecision(14)).toString()
    : typeof value === "string"
      ? value
      : value === undefined
        ? "nil"
        : value === true
          ? "true"
          : value === false
            ? "false"
            : "a table or function";

export function numberOf(value: Value): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || !/^\s*-?\d+(?:\.\d+)?(?:e[-+]?\d+)?\s*$/i.test(value)) return undefined;
  return Number(value);
}

function operand(value: Value): number {
  const number = numberOf(value);
  if (number === undefined) throw new LuaError(`attempt to perform arithmetic on ${textOf(value)}`);
  return number;
}

function concatenated(one: Value, other: Value): string {
  for (const value of [one, other])
    if (typeof value !== "string" && typeof value !== "number") throw new LuaError(`attempt to concatenate ${textOf(value)}`);
  return textOf(one) + textOf(other);
}

function isLess(one: Value, other: Value): boolean {
  if (typeof one === "number" && typeof other === "number") return one < other;
  if (typeof one === "string" && typeof other === "string") return one < other;
  throw new LuaError(`attempt to compare ${textOf(one)} with ${textOf(other)}`);
}

const BINARY: Readonly<Record<string, { readonly binds: number; readonly apply: (one: Value, other: Value) => Value }>> = {
  "<": { binds: 3, apply: isLess },
  ">": { binds: 3, apply: (one, other) => isLess(other, one) },
  "<=": { binds: 3, apply: (one, other) => !isLess(other, one) },
  ">=": { binds: 3, apply: (one, other) => !isLess(one, other) },
  "~=": { binds: 3, apply: (one, other) => one !== other },
  "==": { binds: 3, apply: (one, other) => one === other },
  "..": { binds: 4, apply: concatenated },
  "+": { binds: 5, apply: (one, other) => operand(one) + operand(other) },
  "-": { binds: 5, apply: (one, other) => operand(one) - operand(other) },
  "*": { binds: 6, apply: (one, other) => operand(one) * operand(other) },
  "/": { binds: 6, apply: (one, other) => operand(one) / operand(other) },
  "%": { binds: 6, apply: (one, other) => operand(one) - Math.floor(operand(one) / operand(other)) * operand(other) },
};

/** Compiles a script. Its globals are given when it runs. Throws `SyntaxError` for what the product's scripts do not use. */
export function compiled(source: string): (globals: ReadonlyMap<string, Value>) => readonly Value[] {
  const { block, size, globals } = new Parser(tokensOf(source)).parsed();
  return (given) => {
    const frame: Frame = new Array<Value>(size);
    for (const [name, slot] of globals) frame[slot] = given.get(name);
    const ended = block(frame);
    return Array.isArray(ended) ? ended : [];
  };
}

function put(frame: Frame, slots: readonly number[], values: readonly Value[]): void {
  for (let at = 0; at < slots.length; at++) frame[slots[at] as number] = values[at];
}

/** Variables have a place each in one frame: no function of the scripts calls itself. */
class Parser {
  #at = 0;
  #size = 0;
  readonly #scopes: Map<string, number>[] = [new Map()];
  readonly #globals = new Map<string, number>();

  constructor(private readonly tokens: readonly Token[]) {}

  parsed() {
    const block = this.#block();
    if (this.#token.kind !== "end") throw this.#unexpected();
    return { block, size: this.#size, globals: this.#globals };
  }

  get #token(): Token {
    return this.tokens[this.#at] ?? { kind: "end", text: "" };
  }

  #unexpected(): SyntaxError {
    const near = this.tokens.slice(Math.max(0, this.#at - 5), this.#at + 3).map(({ text }) => text);
    return new SyntaxError(`unexpected ${this.#token.text} in ${near.join(" ")}`);
  }

  #is(sign: string): boolean {
    return this.#token.kind === "sign" && this.#token.text === sign;
  }

  #takes(sign: string): boolean {
    if (!this.#is(sign)) return false;
    this.#at++;
    return true;
  }

  #expect(sign: string): void {
    if (!this.#takes(sign)) throw this.#unexpected();
  }

  #name(): string {
    if (this.#token.kind !== "name") throw this.#unexpected();
    return this.tokens[this.#at++]?.text ?? "";
  }

  #declare(name: string): number {
    const slot = this.#size++;
    this.#scopes.at(-1)?.set(name, slot);
    return slot;
  }

  #slotOf(name: string): number {
    for (const scope of this.#scopes.toReversed()) {
      const slot = scope.get(name);
      if (slot !== undefined) return slot;
    }
    const slot = this.#globals.get(name) ?? this.#size++;
    this.#globals.set(name, slot);
    return slot;
  }

  #scoped<T>(parse: () => T): T {
    this.#scopes.push(new Map());
    const parsed = parse();
    this.#scopes.pop();
    return parsed;
  }

  #block(): Statement {
    return this.#scoped(() => {
      const statements: Statement[] = [];
      while (!["end", "else", "elseif"].some((word) => this.#is(word)) && this.#token.kind !== "end")
        if (!this.#takes(";")) statements.push(this.#statement());
      return (frame) => {
        for (const statement of statements) {
          const ended = statement(frame);
          if (ended !== undefined) return ended;
        }
        return undefined;
      };
    });
  }

  #statement(): Statement {
    if (this.#takes("local")) return this.#takes("function") ? this.#localFunction() : this.#local();
    if (this.#takes("if")) return this.#if();
    if (this.#takes("for")) return this.#for();
    if (this.#takes("while")) return this.#while();
    if (this.#takes("break")) return () => BREAK;
    if (this.#takes("return")) {
      const values = this.#is("end") || this.#token.kind === "end" ? () => [] : this.#list();
      return (frame) => values(frame);
    }
    return this.#assignmentOrCall();
  }

  #local(): Statement {
    const names = [this.#name()];
    while (this.#takes(",")) names.push(this.#name());
    const values = this.#takes("=") ? this.#list() : () => [];
    const slots = names.map((name) => this.#declare(name));
    return (frame) => {
      const given = values(frame);
      put(frame, slots, given);
      return undefined;
    };
  }

  #localFunction(): Statement {
    const slot = this.#declare(this.#name());
    const body = this.#functionBody();
    return (frame) => {
      frame[slot] = body(frame);
      return undefined;
    };
  }

  #functionBody(): Expression {
    return this.#scoped(() => {
      this.#expect("(");
      const slots: number[] = [];
      while (!this.#takes(")")) {
        slots.push(this.#declare(this.#name()));
        this.#takes(",");
      }
      const block = this.#block();
      this.#expect("end");
      return (frame) => (args) => {
        put(frame, slots, args);
        const ended = block(frame);
        return Array.isArray(ended) ? ended : [];
      };
    });
  }

  #if(): Statement {
    const branches: { readonly holds: Expression; readonly block: Statement }[] = [];
    do {
      const holds = this.#expression();
      this.#expect("then");
      branches.push({ holds, block: this.#block() });
    } while (this.#takes("elseif"));
    if (this.#takes("else")) branches.push({ holds: () => true, block: this.#block() });
    this.#expect("end");
    return (frame) => branches.find(({ holds }) => truthy(holds(frame)))?.block(frame);
  }

  #while(): Statement {
    const holds = this.#expression();
    this.#expect("do");
    const block = this.#block();
    this.#expect("end");
    return (frame) => {
      while (truthy(holds(frame))) {
        const ended = block(frame);
        if (ended === BREAK) return undefined;
        if (ended !== undefined) return ended;
      }
      return undefined;
    };
  }

  #for(): Statement {
    const names = [this.#name()];
    while (this.#takes(",")) names.push(this.#name());
    if (this.#takes("=")) {
      const bounds = [this.#expression()];
      while (this.#takes(",")) bounds.push(this.#expression());
      return this.#loop(names, (frame) => {
        const [from = 0, to = 0, step = 1] = bounds.map((bound) => operand(bound(frame)));
        const rounds: (readonly Value[])[] = [];
        for (let at = from; step > 0 ? at <= to : at >= to; at += step) rounds.push([at]);
        return rounds;
      });
    }
    this.#expect("in");
    const call = this.#list();
    return this.#loop(names, (frame) => {
      const [rounds] = call(frame);
      if (!(rounds instanceof Table)) throw new LuaError("only ipairs and pairs can be walked through");
      return rounds.list.map((round) => (round instanceof Table ? [round.get(1), round.get(2)] : []));
    });
  }

  #loop(names: readonly string[], roundsOf: (frame: Frame) => readonly (readonly Value[])[]): Statement {
    return this.#scoped(() => {
      this.#expect("do");
      const slots = names.map((name) => this.#declare(name));
      const block = this.#block();
      this.#expect("end");
      return (frame) => {
        for (const round of roundsOf(frame)) {
          put(frame, slots, round);
          const ended = block(frame);
          if (ended === BREAK) return undefined;
          if (ended !== undefined) return ended;
        }
        return undefined;
      };
    });
  }

  #assignmentOrCall(): Statement {
    const first = this.#suffixed();
    if (first.many !== undefined && !this.#is("=") && !this.#is(",")) {
      const { many } = first;
      return (frame) => {
        many(frame);
        return undefined;
      };
    }
    const targets = [first.assign];
    while (this.#takes(",")) targets.push(this.#suffixed().assign);
    this.#expect("=");
    const values = this.#list();
    return (frame) => {
      const given = values(frame);
      for (let at = 0; at < targets.length; at++) targets[at]?.(frame, given[at]);
      return undefined;
    };
  }

  /** A call at the end gives all its values. */
  #list(): Many {
    const parts: Operand[] = [this.#operation(0)];
    while (this.#takes(",")) parts.push(this.#operation(0));
    const last = parts.pop();
    if (parts.length === 0 && last?.many !== undefined) return last.many;
    return (frame) => {
      const values: Value[] = [];
      for (const { one } of parts) values.push(one(frame));
      if (last?.many === undefined) values.push(last?.one(frame));
      else for (const value of last.many(frame)) values.push(value);
      return values;
    };
  }

  #expression(): Expression {
    return this.#operation(0).one;
  }

  /** Precedences: `or` 1, `and` 2, comparisons 3, then as in `BINARY`. */
  #operation(least: number): Operand {
    let left = this.#unary();
    for (;;) {
      const { kind, text } = this.#token;
      if (kind !== "sign") return left;
      const [one, binary] = [left.one, BINARY[text]];
      if (text === "or" && least < 1) {
        this.#at++;
        const other = this.#operation(1).one;
        left = { one: either(one, other) };
      } else if (text === "and" && least < 2) {
        this.#at++;
        const other = this.#operation(2).one;
        left = { one: both(one, other) };
      } else if (binary !== undefined && least < binary.binds) {
        this.#at++;
        // `..` binds to the right.
        const other = this.#operation(text === ".." ? binary.binds - 1 : binary.binds).one;
        left = { one: (frame) => binary.apply(one(frame), other(frame)) };
      } else return left;
    }
  }

  #unary(): Operand {
    if (this.#takes("not")) {
      const { one } = this.#operation(7);
      return { one: (frame) => !truthy(one(frame)) };
    }
    if (this.#takes("-")) {
      const { one } = this.#operation(7);
      return { one: (frame) => -operand(one(frame)) };
    }
    if (this.#takes("#")) {
      const { one } = this.#operation(7);
      return { one: (frame) => lengthOf(one(frame)) };
    }
    return this.#suffixed();
  }

  #suffixed(): Operand {
    let present: Operand = this.#primary();
    for (;;) {
      const { one } = present;
      if (this.#is("(")) {
        const args = this.#arguments();
        const many: Many = (frame) => {
          const called = one(frame);
          if (typeof called !== "function") throw new LuaError(`attempt to call ${textOf(called)}`);
          return called(args(frame));
        };
        present = { one: (frame) => many(frame)[0], many };
      } else if (this.#is(".") || this.#is("[")) {
        let key: Expression;
        if (this.#takes(".")) {
          const name = this.#name();
          key = () => name;
        } else {
          this.#expect("[");
          key = this.#expression();
          this.#expect("]");
        }
        present = {
          one: (frame) => indexed(one(frame)).get(key(frame)),
          assign: (frame, value) => indexed(one(frame)).set(key(frame), value),
        };
      } else return present;
    }
  }

  #arguments(): Many {
    this.#expect("(");
    if (this.#takes(")")) return () => [];
    const list = this.#list();
    this.#expect(")");
    return list;
  }

  #primary(): Operand {
    const { kind, text } = this.#token;
    if (kind === "name") {
      this.#at++;
      const slot = this.#slotOf(text);
      return {
        one: (frame) => frame[slot],
        assign: (frame, value) => {
          frame[slot] = value;
        },
      };
    }
    if (this.#takes("(")) {
      const one = this.#expression();
      this.#expect(")");
      return { one };
    }
    if (this.#is("{")) return { one: this.#table() };
    if (this.#takes("function")) return { one: this.#functionBody() };
    this.#at++;
    if (kind === "number") return { one: constant(Number(text)) };
    if (kind === "text") return { one: constant(unquoted(text)) };
    if (text === "true" || text === "false") return { one: constant(text === "true") };
    if (text === "nil") return { one: constant(undefined) };
    this.#at--;
    throw this.#unexpected();
  }

  #table(): Expression {
    this.#expect("{");
    const named: { readonly name: string; readonly value: Expression }[] = [];
    const listed: Operand[] = [];
    while (!this.#takes("}")) {
      const next = this.tokens[this.#at + 1];
      if (this.#token.kind === "name" && next?.kind === "sign" && next.text === "=") {
        const name = this.#name();
        this.#expect("=");
        named.push({ name, value: this.#expression() });
      } else listed.push(this.#operation(0));
      if (!this.#takes(",")) this.#takes(";");
    }
    return (frame) => {
      const table = Table.of(
        listed.flatMap(({ one, many }, at) => (at === listed.length - 1 && many !== undefined ? many(frame) : [one(frame)])),
      );
      for (const { name, value } of named) table.set(name, value(frame));
      return table;
    };
  }
}

const constant =
  (value: Value): Expression =>
  () =>
    value;

const either =
  (one: Expression, other: Expression): Expression =>
  (frame) => {
    const value = one(frame);
    return truthy(value) ? value : other(frame);
  };

const both =
  (one: Expression, other: Expression): Expression =>
  (frame) => {
    const value = one(frame);
    return truthy(value) ? other(frame) : value;
  };

function indexed(value: Value): Table {
  if (value instanceof Table) return value;
  throw new LuaError(`attempt to index ${textOf(value)}`);
}

function lengthOf(value: Value): number {
  if (value instanceof Table) return value.length;
  if (typeof value === "string") return value.length;
  throw new LuaError(`attempt to get length of ${textOf(value)}`);
}

const textIn = (value: Value): string => textOf(value);

/** A pattern as a regular expression. The scripts build none, so there are few. */
const PATTERNS = new Map<string, RegExp>();
function patternOf(pattern: string): RegExp {
  let known = PATTERNS.get(pattern);
  if (known === undefined) {
    known = new RegExp(
      pattern.replace(/%([a-z])|%(.)/g, (_, kind?: string, sign?: string) => `\\${kind ?? sign}`),
      "u",
    );
    PATTERNS.set(pattern, known);
  }
  return known;
}

function found(text: Value, pattern: Value): readonly Value[] {
  const match = patternOf(textIn(pattern)).exec(textIn(text));
  return match === null ? [undefined] : match.length > 1 ? match.slice(1) : [match[0]];
}

function part(text: Value, from: Value, to: Value = -1): string {
  const whole = textIn(text);
  const at = (place: number) => (place < 0 ? Math.max(1, whole.length + place + 1) : place);
  return whole.slice(Math.max(1, at(operand(from))) - 1, operand(to) < 0 ? whole.length + operand(to) + 1 : operand(to));
}

function place(text: Value, wanted: Value, from: Value = 1, isPlain: Value = false): readonly Value[] {
  if (!truthy(isPlain)) {
    const match = patternOf(textIn(wanted)).exec(textIn(text));
    return match === null ? [undefined] : [match.index + 1, match.index + match[0].length];
  }
  const at = textIn(text).indexOf(textIn(wanted), operand(from) - 1);
  return at === -1 ? [undefined] : [at + 1, at + textIn(wanted).length];
}

function formatted(format: Value, ...values: readonly Value[]): string {
  let at = 0;
  return textIn(format).replace(/%\.(\d+)f|%s|%d/g, (what, places?: string) => {
    const value = values[at++];
    if (what === "%s") return textOf(value);
    return operand(value).toFixed(places === undefined ? 0 : Number(places));
  });
}

const library = (functions: Readonly<Record<string, (...args: Value[]) => Value | readonly Value[]>>): Table => {
  const table = new Table();
  for (const [name, call] of Object.entries(functions)) table.set(name, callable(call));
  return table;
};

const callable =
  (call: (...args: Value[]) => Value | readonly Value[]): Callable =>
  (args) => {
    const value = call(...args);
    return Array.isArray(value) ? value : [value as Value];
  };

/** Lua's own functions, as far as they are used. */
export const LIBRARY: ReadonlyMap<string, Value> = new Map<string, Value>([
  ["tonumber", callable((value) => numberOf(value))],
  ["tostring", callable(textOf)],
  ["type", callable((value) => (value instanceof Table ? "table" : value === undefined ? "nil" : typeof value))],
  ["unpack", (args) => (args[0] instanceof Table ? args[0].list : [])],
  ["ipairs", callable((table) => Table.of(indexed(table).list.map((value, at) => Table.of([at + 1, value]))))],
  ["pairs", callable((table) => Table.of(indexed(table).pairs.map((pair) => Table.of(pair))))],
  [
    "string",
    library({
      ...{ sub: part, find: place, match: found, format: formatted },
      lower: (text) => textIn(text).toLowerCase(),
    }),
  ],
  [
    "math",
    library({
      floor: (value) => Math.floor(operand(value)),
      max: (...values) => Math.max(...values.map(operand)),
      min: (...values) => Math.min(...values.map(operand)),
    }),
  ],
  [
    "table",
    library({
      concat: (table, between = "") => indexed(table).list.map(textOf).join(textIn(between)),
      sort(table, isBefore) {
        const list = indexed(table);
        const sorted = list.list.sort((one, other) => {
          if (typeof isBefore !== "function") return isLess(one, other) ? -1 : 1;
          return truthy(isBefore([one, other])[0]) ? -1 : truthy(isBefore([other, one])[0]) ? 1 : 0;
        });
        for (const [at, value] of sorted.entries()) list.set(at + 1, value);
        return undefined;
      },
    }),
  ],
]);
