/**
 * The address of PostgreSQL: one server, or several of which one accepts writes
 * (`postgres://user@a:5432,b:5433/name`).
 */

export type PostgresAddress = {
  /** One ordinary address for each server. */
  readonly servers: readonly string[];
  /** Server settings from `?options=-c …`. */
  readonly settings: string;
  /** `?prepare=`. Undefined: statements are prepared by name, until a pooler turns out not to keep names. */
  readonly prepare: boolean | undefined;
};

const BEGINNING = /^(postgres(?:ql)?:\/\/)([^/?#]*)/;
const EXAMPLE = "postgres://user:password@host:5432/name";

/** Throws an error that says what is wrong, without the password. */
export function readPostgresAddress(text: string): PostgresAddress {
  const [beginning = "", scheme, authority] = BEGINNING.exec(text) ?? [];
  if (scheme === undefined || authority === undefined || text === scheme)
    throw new Error(`"${withoutPassword(text)}" is not an address such as ${EXAMPLE}`);
  const rest = text.slice(beginning.length);
  const at = authority.lastIndexOf("@") + 1;
  const hosts = authority.slice(at).split(",");
  const urls = hosts.map((host) => {
    const server = `${scheme}${authority.slice(0, at)}${host}${rest}`;
    if ((host === "" && hosts.length > 1) || !URL.canParse(server))
      throw new Error(`"${host}" is not a host such as in ${EXAMPLE} or postgres://a:5432,b:5433/name`);
    return new URL(server);
  });
  const { searchParams } = urls[0] as URL;
  const settings = searchParams.get("options") ?? "";
  const prepare = readPrepare(searchParams.get("prepare"));
  for (const url of urls) for (const name of ["options", "prepare"]) url.searchParams.delete(name);
  return { servers: urls.map(({ href }) => href), settings, prepare };
}

function withoutPassword(text: string): string {
  const start = text.indexOf("//") + 2;
  const end = text.lastIndexOf("@");
  return start < 2 || end < start ? text : `${text.slice(0, start)}…${text.slice(end)}`;
}

function readPrepare(text: string | null): boolean | undefined {
  if (text === null) return undefined;
  if (text === "true" || text === "false") return text === "true";
  throw new Error(`prepare=${text} is neither true nor false`);
}
