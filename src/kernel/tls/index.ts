/** Certificates for local HTTPS, from a local authority. */
export {
  createEphemeralAuthority,
  type EphemeralAuthority,
  ensureLocalAuthority,
  type LocalAuthority,
  type LocalAuthorityOptions,
} from "./local-authority.ts";
