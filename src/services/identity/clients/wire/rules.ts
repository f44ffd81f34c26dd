/** Rules for a client beyond the shapes of its members. Most concern two or more members. */
import type { Rule } from "#kernel/shape";
import {
  type ApplicationType,
  findRedirectProblem,
  hostsOf,
  originOf,
  originsOf,
} from "../domain/redirect-uris.ts";
import { grantTypesFor, normalResponseType, RESPONSE_TYPES } from "../domain/response-types.ts";
import { isIdentityScope, isPermission, permissionsOf, readScopes } from "../domain/scopes.ts";
import { errors } from "../errors.ts";

/** The members of a Client Object that the rules read. */
type Asked = {
  readonly redirect_uris?: readonly string[];
  readonly post_logout_redirect_uris?: readonly string[];
  readonly application_type?: ApplicationType;
  readonly test_mode?: boolean;
  readonly response_types?: readonly string[];
  readonly grant_types?: readonly string[];
  readonly scope?: string;
  readonly default_scopes?: readonly string[];
  readonly token_endpoint_auth_method?: string;
  readonly id_token_signed_response_alg?: string;
  readonly subject_type?: string;
  readonly sector_identifier_uri?: string;
  readonly frontchannel_logout_uri?: string;
};

export const responseTypeRule: Rule = {
  name: "responseType",
  says: `must be one of ${RESPONSE_TYPES.join(", ")}, its words in any order`,
  check: (text: string) => normalResponseType(text) !== undefined,
};
export const permissionsRule: Rule = {
  name: "permissions",
  says: "must hold claim scopes and permissions such as braille:* or Vendor.Sql/*",
  check: (text: string) => {
    const wrong = permissionsOf(text).find((scope) => !isPermission(scope));
    return (
      wrong === undefined ||
      `is refused: "${wrong}" is neither a claim scope nor a permission such as braille:* or Vendor.Sql/*`
    );
  },
};

/** Where answers may go depends on where the application runs. */
const answerAddresses = (at: "redirect_uris" | "post_logout_redirect_uris"): Rule => ({
  name: "answerAddresses",
  says: "must be https, http on a loopback address or in test mode, or a native application's own scheme",
  of: [at, "application_type", "test_mode"],
  at,
  error: errors.invalidRedirectUri,
  check: ({ application_type: applicationType = "web", test_mode: testMode = false, ...body }: Asked) => {
    for (const uri of body[at] ?? []) {
      const problem = findRedirectProblem(uri, { applicationType, testMode });
      if (problem !== undefined) return `is refused: ${uri.slice(0, 200)}: ${problem}`;
    }
    return true;
  },
});
const grantsOfResponseTypes: Rule = {
  name: "grantsOfResponseTypes",
  says: "must have the grants that the response types need",
  of: ["grant_types", "response_types"],
  at: "grant_types",
  check: ({ grant_types: grants, response_types: types = RESPONSE_TYPES }: Asked) => {
    const missing = grants && grantTypesFor(types).find((grant) => !grants.includes(grant));
    return missing === undefined || `is refused: the response types need ${missing}`;
  },
};
const scopesOfItsOwn: Rule = {
  name: "scopesOfItsOwn",
  says: "must be claim scopes, or permissions that scope names",
  of: ["default_scopes", "scope"],
  at: "default_scopes",
  check: ({ default_scopes: scopes = [], scope = "" }: Asked) => {
    const permissions = permissionsOf(scope);
    const wrong = readScopes(scopes.join(" ")).find(
      (one) => !isIdentityScope(one) && !permissions.includes(one),
    );
    return wrong === undefined || `is refused: "${wrong}" is not a scope this client may ask for`;
  },
};
const secretForHs256: Rule = {
  name: "secretForHs256",
  says: "is refused: HS256 needs a client secret",
  of: ["id_token_signed_response_alg", "token_endpoint_auth_method"],
  at: "id_token_signed_response_alg",
  check: ({ id_token_signed_response_alg: algorithm, token_endpoint_auth_method: method }: Asked) =>
    algorithm !== "HS256" || method !== "none",
};
const sectorOfPairwise: Rule = {
  name: "sectorOfPairwise",
  says: "pairwise needs redirects to one host, or a sector_identifier_uri",
  of: ["subject_type", "sector_identifier_uri", "redirect_uris"],
  at: "subject_type",
  check: ({ subject_type: type, sector_identifier_uri: sector, redirect_uris: uris = [] }: Asked) => {
    if (type !== "pairwise" || sector !== undefined) return true;
    const [host = "", ...others] = hostsOf(uris);
    if (others.length > 0) return "pairwise with redirects to several hosts needs a sector_identifier_uri";
    return host !== "" || "pairwise needs a redirect that names a host, or a sector_identifier_uri";
  },
};
/** A frame may show only the application itself. */
const frameOfItsOwn: Rule = {
  name: "frameOfItsOwn",
  says: "must have the origin of a registered redirect",
  of: ["frontchannel_logout_uri", "redirect_uris"],
  at: "frontchannel_logout_uri",
  check: ({ frontchannel_logout_uri: frame, redirect_uris: uris = [] }: Asked) =>
    frame === undefined || originsOf(uris).includes(originOf(frame) ?? ""),
};

export const metadataRules: readonly Rule[] = [
  answerAddresses("redirect_uris"),
  answerAddresses("post_logout_redirect_uris"),
  ...[grantsOfResponseTypes, scopesOfItsOwn, secretForHs256, sectorOfPairwise, frameOfItsOwn].map((rule) => ({
    ...rule,
    error: errors.invalidClientMetadata,
  })),
];
