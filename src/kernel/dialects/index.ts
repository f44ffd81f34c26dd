/** Names in, names out. */
export { type Dialect, defineDialect } from "./dialect.ts";
