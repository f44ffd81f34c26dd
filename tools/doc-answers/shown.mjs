/** An answer as the documentation shows it: long lists and texts cut, with a mark where something is left out. */
const ITEMS_MAX = 2;
const TEXT_MAX = 160;
const SHOWN_MAX = 2400;
const HOST = "127.0.0.1:4020";
/** Secrets of the server that ran are of no use, and look like secrets. */
const SECRET =
  /secret|password|token|signature|(?:api|access|primary|secondary|shared)_?key|connectionstring|^jwks?$|^x$|^y$|^n$/i;

/** The key of a user. */
const isKey = (name, value) => name === "key" && value.length >= 40;

/** Of a page, how it looks and what its scripts do is left out. */
const SURROUNDINGS = /(<(style|script)\b[^>]*>)[\s\S]*?(<\/\2>)/g;

function cut(value, name = "") {
  if (typeof value === "string") {
    if ((SECRET.test(name) && value.length > 8) || isKey(name, value)) return "…";
    return value.length > TEXT_MAX ? `${value.slice(0, TEXT_MAX)}…` : value;
  }
  if (Array.isArray(value)) {
    const some = value.slice(0, ITEMS_MAX).map((one) => cut(one, name));
    return value.length > ITEMS_MAX ? [...some, `… ${value.length - ITEMS_MAX} more`] : some;
  }
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([own, member]) => [own, cut(member, own)]));
}

export function shownOf({ request, answer }, url) {
  const { port } = new URL(url);
  const own = new RegExp(`(?:127\\.0\\.0\\.1|localhost)(:|%3A)${port}`, "g");
  const plain = (text) => text.replaceAll(own, (_, colon) => HOST.replace(":", colon));
  const body =
    answer.body === undefined
      ? (answer.text ?? "").replaceAll(SURROUNDINGS, "$1…$3").slice(0, SHOWN_MAX)
      : JSON.stringify(cut(answer.body), null, 1);
  const text = answer.location === undefined ? plain(body) : `Location: ${plain(answer.location)}`;
  return {
    method: request.method,
    path: plain(request.path),
    ...(request.body !== undefined && { body: cut(request.body) }),
    status: answer.status,
    ...(answer.type && { type: answer.type.split(";")[0] }),
    ...(text && { answer: text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}\n…` : text }),
  };
}
