/** Certificates for serving HTTPS on one's own machine, from an authority made there. */
export {
  createEphemeralAuthority,
  type EphemeralAuthority,
  ensureLocalAuthority,
  type LocalAuthority,
  type LocalAuthorityOptions,
} from "./local-authority.ts";
