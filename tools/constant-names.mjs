/**
 * How constants of modules are called: those that are plain values (numbers, texts, patterns, lists, sets and maps of such) in
 * UPPER_CASE, everything with behaviour in camelCase. Objects with named members may be called either way.
 */
/** Lists of tables are furniture of every room, and `anyone` is a word of the declaration language. */
const NAMED_OTHERWISE = /^(?:anyone|tables|[a-z]\w*Tables)$/;
const UPPER = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/;
const PLAIN_LITERALS = new Set(["StringLiteral", "NumericLiteral", "BigIntLiteral", "RegExpLiteral"]);
const COLLECTIONS = new Set(["Set", "Map"]);
const ARITHMETIC = new Set(["+", "-", "*", "/", "%", "**"]);

const bare = (node) =>
  node &&
  ["TsAsExpression", "TsConstAssertion", "TsSatisfiesExpression", "ParenthesisExpression"].includes(node.type)
    ? bare(node.expression)
    : node;

const isUpperName = (node) => node.type === "Identifier" && UPPER.test(node.value);

/** A number, text or pattern, or what is reckoned of such. */
function isScalar(given) {
  const node = bare(given);
  if (PLAIN_LITERALS.has(node.type) || isUpperName(node)) return true;
  if (node.type === "UnaryExpression") return isScalar(node.argument);
  if (node.type === "BinaryExpression")
    return ARITHMETIC.has(node.operator) && isScalar(node.left) && isScalar(node.right);
  return node.type === "TemplateLiteral" && node.expressions.every(isScalar);
}
const isListOf = (node, isItem) =>
  node.type === "ArrayExpression" &&
  node.elements.length > 0 &&
  node.elements.every((item) => item && !item.spread && isItem(item.expression));

/** Is it a plain value, or a list, set or map of such? */
export function isPlainValue(given) {
  const node = bare(given);
  if (isScalar(node) || isListOf(node, isScalar)) return true;
  if (node.type !== "NewExpression") return false;
  if (node.callee.value === "RegExp") return true;
  const [first] = node.arguments ?? [];
  if (!COLLECTIONS.has(node.callee.value) || !first) return false;
  const items = bare(first.expression);
  return isListOf(items, isScalar) || isListOf(items, (item) => isListOf(bare(item), isScalar));
}

/** Constants of a file's own level whose names hide that they are plain values, or whose names claim it of a function. */
export function* misnamedIn(tree) {
  for (const statement of tree.body) {
    const declaration = statement.type === "ExportDeclaration" ? statement.declaration : statement;
    if (declaration.type !== "VariableDeclaration" || declaration.kind !== "const") continue;
    for (const { id, init } of declaration.declarations) {
      if (id.type !== "Identifier" || !init || NAMED_OTHERWISE.test(id.value)) continue;
      const isFunction = ["ArrowFunctionExpression", "FunctionExpression"].includes(bare(init).type);
      if (isPlainValue(init) ? !UPPER.test(id.value) : isFunction && /^[A-Z0-9]*_[A-Z0-9_]*$/.test(id.value))
        yield { span: id.span, text: id.value };
    }
  }
}
