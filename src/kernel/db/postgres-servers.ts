/** Finds the writable server, or a standby, among the servers of an address, and detects a pooler in front of it. */
import type { PostgresAddress } from "./postgres-address.ts";
import { PostgresConnection, type ServerRole, type Session } from "./postgres-connection.ts";

/** How poolers in transaction mode refuse session settings. */
const UNKNOWN_SETTING = /unsupported startup parameter/i;
const NO_SUCH_STATEMENT = "26000";
const STATEMENT_EXISTS = "42P05";

export class PostgresServers {
  readonly #address: PostgresAddress;
  readonly #role: ServerRole;
  readonly #session: Session;
  /** The server of the last connection. */
  #found: string | undefined;
  #finding: Promise<string> | undefined;

  constructor(address: PostgresAddress, role: ServerRole = "primary") {
    this.#address = address;
    this.#role = role;
    this.#session = { kept: address.prepare ?? true };
  }
  async connect(): Promise<PostgresConnection> {
    const server = this.#found ?? (await this.#find());
    try {
      const connection = await this.#open(server);
      this.#found = server;
      return connection;
    } catch (error) {
      this.forget();
      throw error;
    }
  }
  /** Another server may have the role now. */
  forget(): void {
    this.#found = undefined;
  }
  /** True if a pooler has lost a prepared statement. From then on statements have no names. */
  heedsLostStatement(error: unknown): boolean {
    const { code } = error as { code?: unknown };
    if (code !== NO_SUCH_STATEMENT && code !== STATEMENT_EXISTS) return false;
    if (this.#address.prepare === true) return false;
    this.#session.kept = false;
    return true;
  }

  #find(): Promise<string> {
    const [only, ...others] = this.#address.servers as [string, ...string[]];
    if (others.length === 0) return Promise.resolve(only);
    this.#finding ??= this.#ask().finally(() => {
      this.#finding = undefined;
    });
    return this.#finding;
  }
  /** Asks all servers at once. The first one with the role wins. */
  async #ask(): Promise<string> {
    try {
      return await Promise.any(
        this.#address.servers.map(async (server) => {
          const connection = await this.#open(server);
          void connection.close();
          return server;
        }),
      );
    } catch (error) {
      // The first error stands for all.
      throw (error as AggregateError).errors[0];
    }
  }
  async #open(server: string): Promise<PostgresConnection> {
    const options = { server, settings: this.#address.settings, session: this.#session, role: this.#role };
    const asked = this.#session.kept;
    try {
      return await PostgresConnection.open(options);
    } catch (error) {
      if (!asked || !UNKNOWN_SETTING.test((error as Error).message)) throw error;
      this.#session.kept = false;
      return PostgresConnection.open(options);
    }
  }
}
