/**
 * Policy expressions: documented context members and a few operators, compiled to functions. Anything else
 * is rejected.
 */
import { type Fields, type PolicyRun, type SeenUrl, spend, type Value } from "./run.ts";
import { ExpressionError, type Token, tokensOf } from "./tokens.ts";

export type Evaluate = (run: PolicyRun) => Value;
/** A context member with members. */
type Inner = { readonly members: Readonly<Record<string, Member>>; readonly fields?: Find };
type Find = (run: PolicyRun) => { find(name: string): Value | undefined };
type Member = Evaluate | Inner;

const DEPTH_MAX = 30;
const TEXT_LENGTH_MAX = 100_000;
const textOf = (value: Value): string =>
  value === null ? "" : typeof value === "boolean" ? (value ? "True" : "False") : String(value);
const urlMembers = (urlOf: (run: PolicyRun) => SeenUrl): Inner => ({
  members: {
    Scheme: (run) => urlOf(run).scheme,
    Host: (run) => urlOf(run).host,
    Port: (run) => urlOf(run).port,
    Path: (run) => urlOf(run).path,
    QueryString: (run) => {
      const { pairs } = urlOf(run).query;
      for (const [name, value] of pairs) spend(run, name.length + value.length);
      return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs as [string, string][])}`;
    },
    Query: { members: {}, fields: (run) => urlOf(run).query },
  },
});
const nothing = { find: () => undefined };
const currentUrl = ({ request }: PolicyRun): SeenUrl => ({
  ...request.original,
  path: request.path,
  query: request.query,
});
const headersOf = (find: (run: PolicyRun) => Fields | undefined): Inner => ({
  members: {},
  fields: (run) => find(run) ?? nothing,
});
const lastError =
  (name: "source" | "reason" | "message"): Evaluate =>
  (run) =>
    run.lastError?.[name] ?? null;

const CONTEXT: Inner = {
  members: {
    RequestId: (run) => run.requestId,
    Api: {
      members: {
        Id: (run) => run.api.id,
        Name: (run) => run.api.name,
        Path: (run) => run.api.path,
        Revision: (run) => run.api.revision,
        IsCurrentRevision: (run) => run.api.isCurrent,
      },
    },
    Product: { members: { Id: (run) => run.product?.id ?? null, Name: (run) => run.product?.name ?? null } },
    Operation: {
      members: {
        Id: (run) => run.operation?.id ?? null,
        Name: (run) => run.operation?.name ?? null,
        Method: (run) => run.operation?.method ?? null,
      },
    },
    Subscription: {
      members: { Id: (run) => run.subscription?.id ?? null, Key: (run) => run.subscription?.key ?? null },
    },
    Request: {
      members: {
        Method: (run) => run.request.method,
        IpAddress: (run) => run.request.ipAddress,
        Headers: headersOf((run) => run.request.headers),
        Url: urlMembers(currentUrl),
        OriginalUrl: urlMembers(({ request }) => request.original),
        MatchedParameters: {
          members: {},
          fields: ({ request: { matched } }) => ({
            find: (name) => (Object.hasOwn(matched, name) ? matched[name] : undefined),
          }),
        },
      },
    },
    Response: {
      members: {
        StatusCode: (run) => run.response?.status ?? null,
        Headers: headersOf((run) => run.response?.headers),
      },
    },
    LastError: {
      members: { Source: lastError("source"), Reason: lastError("reason"), Message: lastError("message") },
    },
    Variables: { members: {}, fields: ({ variables }) => ({ find: (name) => variables.get(name) }) },
  },
};

type Method = {
  readonly least: number;
  readonly most: number;
  call(text: string, given: readonly Value[]): Value;
};
const method = (least: number, most: number, call: Method["call"]): Method => ({ least, most, call });
const TEXT_METHODS: Readonly<Record<string, Method>> = {
  ToLower: method(0, 0, (text) => text.toLowerCase()),
  ToLowerInvariant: method(0, 0, (text) => text.toLowerCase()),
  ToUpper: method(0, 0, (text) => text.toUpperCase()),
  ToUpperInvariant: method(0, 0, (text) => text.toUpperCase()),
  Trim: method(0, 0, (text) => text.trim()),
  ToString: method(0, 0, (text) => text),
  StartsWith: method(1, 1, (text, [part]) => text.startsWith(textOf(part ?? null))),
  EndsWith: method(1, 1, (text, [part]) => text.endsWith(textOf(part ?? null))),
  Contains: method(1, 1, (text, [part]) => text.includes(textOf(part ?? null))),
  Replace: method(2, 2, (text, [from, to]) => {
    const searched = textOf(from ?? null);
    return searched === "" ? text : replaced(text, searched, textOf(to ?? null));
  }),
  Substring: method(1, 2, (text, [from, length]) =>
    length === undefined ? text.slice(Number(from)) : text.slice(Number(from), Number(from) + Number(length)),
  ),
};

/** Makes no more than may remain. */
function replaced(text: string, searched: string, by: string): string {
  let made = "";
  let next = 0;
  for (let at = text.indexOf(searched); at >= 0 && made.length < TEXT_LENGTH_MAX; ) {
    made += text.slice(next, at) + by;
    next = at + searched.length;
    at = text.indexOf(searched, next);
  }
  return (made + text.slice(next)).slice(0, TEXT_LENGTH_MAX);
}

class Parser {
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;
  constructor(source: string) {
    this.#tokens = tokensOf(source);
  }
  get #token(): Token {
    return this.#tokens[this.#next] as Token;
  }
  #fail(message: string, { at } = this.#token): never {
    throw new ExpressionError(message, at);
  }
  #is(value: string): boolean {
    const { kind, value: own } = this.#token;
    if (kind !== "sign" || own !== value) return false;
    this.#next += 1;
    return true;
  }
  #expect(value: string): void {
    if (!this.#is(value)) this.#fail(`'${value}' is expected, not '${this.#token.value}'.`);
  }
  whole(): Evaluate {
    const evaluate = this.#choice();
    if (this.#token.kind !== "end") this.#fail(`'${this.#token.value}' is not understood here.`);
    return evaluate;
  }
  #choice(): Evaluate {
    this.#depth += 1;
    if (this.#depth > DEPTH_MAX) this.#fail("The expression is nested too deeply.");
    const first = this.#binary(0);
    this.#depth -= 1;
    if (this.#is("??")) {
      const other = this.#choice();
      return (run) => first(run) ?? other(run);
    }
    if (!this.#is("?")) return first;
    const yes = this.#choice();
    this.#expect(":");
    const no = this.#choice();
    return (run) => (first(run) === true ? yes(run) : no(run));
  }
  #binary(level: number): Evaluate {
    const operators = LEVELS[level];
    if (!operators) return this.#unary();
    let left = this.#binary(level + 1);
    for (;;) {
      const sign = Object.keys(operators).find((one) => this.#is(one));
      if (sign === undefined) return left;
      const [one, other] = [left, this.#binary(level + 1)];
      const apply = operators[sign] as Apply;
      left = (run) => {
        const value = apply(
          () => one(run),
          () => other(run),
        );
        if (typeof value === "string") spend(run, value.length);
        return value;
      };
    }
  }
  #unary(): Evaluate {
    if (this.#is("!")) {
      const inner = this.#unary();
      return (run) => inner(run) !== true;
    }
    if (this.#is("-")) {
      const inner = this.#unary();
      return (run) => -Number(inner(run));
    }
    return this.#cast() ?? this.#calls(this.#primary());
  }
  /** A cast such as `(string)context…`. */
  #cast(): Evaluate | undefined {
    const [open, type, close] = this.#tokens.slice(this.#next, this.#next + 3);
    const convert = type && Object.hasOwn(CASTS, type.value) ? CASTS[type.value] : undefined;
    if (open?.value !== "(" || open.kind !== "sign" || !convert || close?.value !== ")") return undefined;
    this.#next += 3;
    const inner = this.#unary();
    return (run) => convert(inner(run));
  }
  #primary(): Evaluate {
    const token = this.#token;
    this.#next += 1;
    if (token.kind === "text") return () => token.value;
    if (token.kind === "number") return () => Number(token.value);
    if (token.kind === "sign" && token.value === "(") {
      const inner = this.#choice();
      this.#expect(")");
      return inner;
    }
    if (token.kind === "name" && Object.hasOwn(CONSTANTS, token.value)) {
      const value = CONSTANTS[token.value] as Value;
      return () => value;
    }
    if (token.value === "context" && token.kind === "name") return this.#member(CONTEXT, "context");
    return this.#fail(
      `'${token.value}' is not supported: expressions begin with context, a text or a number.`,
      token,
    );
  }
  #member(inner: Inner, path: string): Evaluate {
    if (inner.fields && this.#is("[")) {
      const name = this.#text();
      this.#expect("]");
      return this.#found(inner.fields, name, () => null);
    }
    this.#expect(".");
    const token = this.#token;
    this.#next += 1;
    if (inner.fields && token.value === "GetValueOrDefault") return this.#getValue(inner.fields);
    if (inner.fields && token.value === "ContainsKey") {
      const [name = () => ""] = this.#given(1, 1);
      const { fields } = inner;
      return (run) => fields(run).find(textOf(name(run))) !== undefined;
    }
    const member = Object.hasOwn(inner.members, token.value) ? inner.members[token.value] : undefined;
    if (!member) return this.#fail(`${path}.${token.value} is not supported.`, token);
    return typeof member === "function" ? member : this.#member(member, `${path}.${token.value}`);
  }
  #text(): Evaluate {
    return this.#choice();
  }
  #found(fields: Find, name: Evaluate, otherwise: Evaluate): Evaluate {
    return (run) => fields(run).find(textOf(name(run))) ?? otherwise(run);
  }
  #getValue(fields: Find): Evaluate {
    if (this.#is("<")) {
      if (!Object.hasOwn(CASTS, this.#token.value))
        this.#fail(`The type '${this.#token.value}' is not supported.`);
      this.#next += 1;
      this.#expect(">");
    }
    const [name = () => "", otherwise = () => null] = this.#given(1, 2);
    return this.#found(fields, name, otherwise);
  }
  #given(least: number, most: number): readonly Evaluate[] {
    this.#expect("(");
    const given: Evaluate[] = [];
    while (!this.#is(")")) {
      if (given.length > 0) this.#expect(",");
      if (given.length === most) this.#fail(`${most} arguments are expected at the most.`);
      given.push(this.#choice());
    }
    if (given.length < least) this.#fail(`${least} arguments are expected.`);
    return given;
  }
  #calls(value: Evaluate): Evaluate {
    let result = value;
    while (this.#is(".")) {
      const token = this.#token;
      this.#next += 1;
      const before = result;
      if (token.value === "Length") {
        result = (run) => textOf(before(run)).length;
        continue;
      }
      const known = Object.hasOwn(TEXT_METHODS, token.value) ? TEXT_METHODS[token.value] : undefined;
      if (!known) this.#fail(`The method '${token.value}' is not supported.`, token);
      const given = this.#given(known.least, known.most);
      result = (run) => {
        const text = textOf(before(run));
        spend(run, text.length);
        const value = known.call(
          text,
          given.map((one) => one(run)),
        );
        if (typeof value === "string") spend(run, value.length);
        return value;
      };
    }
    return result;
  }
}
const CONSTANTS: Readonly<Record<string, Value>> = { true: true, false: false, null: null };
const CASTS: Readonly<Record<string, (value: Value) => Value>> = {
  string: (value) => (value === null ? null : textOf(value)),
  int: (value) => Math.trunc(Number(value)),
  double: (value) => Number(value),
  bool: (value) => value === true || value === "True" || value === "true",
  object: (value) => value,
};
type Apply = (left: () => Value, right: () => Value) => Value;
const compared =
  (test: (left: number, right: number) => boolean): Apply =>
  (left, right) => {
    const [one, other] = [left(), right()];
    return one !== null && other !== null && test(Number(one), Number(other));
  };
const LEVELS: readonly Readonly<Record<string, Apply>>[] = [
  { "||": (left, right) => left() === true || right() === true },
  { "&&": (left, right) => left() === true && right() === true },
  { "==": (left, right) => left() === right(), "!=": (left, right) => left() !== right() },
  {
    "<=": compared((one, other) => one <= other),
    ">=": compared((one, other) => one >= other),
    "<": compared((one, other) => one < other),
    ">": compared((one, other) => one > other),
  },
  {
    "+"(left, right) {
      const [one, other] = [left(), right()];
      const isSum = typeof one === "number" && typeof other === "number";
      return isSum ? one + other : (textOf(one) + textOf(other)).slice(0, TEXT_LENGTH_MAX);
    },
    "-": (left, right) => Number(left()) - Number(right()),
  },
];

export const compileExpression = (source: string): Evaluate => new Parser(source).whole();
export { textOf };
