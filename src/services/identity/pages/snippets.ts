/** How to use a client with common libraries, ready to be copied. */

export type SnippetFacts = {
  readonly issuer: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly scopes: string;
  /** Public clients have no secret. */
  readonly hasSecret: boolean;
};
export type Snippet = { readonly id: string; readonly title: string; readonly text: string };

const nodeSnippet = ({
  issuer,
  clientId,
  redirectUri,
  scopes,
  hasSecret,
}: SnippetFacts): string => `import * as oidc from "openid-client";

const config = await oidc.discovery(
  new URL("${issuer}"),
  "${clientId}",
  ${hasSecret ? "process.env.CLIENT_SECRET" : "undefined"},
  ${hasSecret ? "undefined" : "oidc.None()"},${issuer.startsWith("http:") ? "\n  { execute: [oidc.allowInsecureRequests] }," : ""}
);

// Send the browser to:
const verifier = oidc.randomPKCECodeVerifier();
const state = oidc.randomState();
const address = oidc.buildAuthorizationUrl(config, {
  redirect_uri: "${redirectUri}",
  scope: "${scopes}",
  state,
  code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
  code_challenge_method: "S256",
});

// When it comes back:
const tokens = await oidc.authorizationCodeGrant(config, currentUrl, {
  pkceCodeVerifier: verifier,
  expectedState: state,
});
console.log(tokens.claims());
`;

const passportSnippet = ({
  issuer,
  clientId,
  redirectUri,
  scopes,
}: SnippetFacts): string => `import passport from "passport";
import OpenIdConnectStrategy from "passport-openidconnect";

passport.use(
  new OpenIdConnectStrategy(
    {
      issuer: "${issuer}",
      authorizationURL: "${issuer}/authorize",
      tokenURL: "${issuer}/token",
      userInfoURL: "${issuer}/userinfo",
      clientID: "${clientId}",
      clientSecret: process.env.CLIENT_SECRET,
      callbackURL: "${redirectUri}",
      scope: "${scopes
        .split(" ")
        .filter((scope) => scope !== "openid")
        .join(" ")}",
    },
    (issuer, profile, done) => done(null, profile),
  ),
);
`;

const browserSnippet = ({
  issuer,
  clientId,
  redirectUri,
  scopes,
}: SnippetFacts): string => `import { UserManager } from "oidc-client-ts";

const manager = new UserManager({
  authority: "${issuer}",
  client_id: "${clientId}",
  redirect_uri: "${redirectUri}",
  scope: "${scopes}",
});

await manager.signinRedirect();
// On the page the person comes back to:
const user = await manager.signinRedirectCallback();
`;

const pythonSnippet = ({ issuer, clientId, scopes, hasSecret }: SnippetFacts): string => `import os

from authlib.integrations.flask_client import OAuth

oauth = OAuth(app)
oauth.register(
    "medley",
    client_id="${clientId}",
    ${hasSecret ? 'client_secret=os.environ["CLIENT_SECRET"]' : "client_secret=None"},
    server_metadata_url="${issuer}/.well-known/openid-configuration",
    client_kwargs={"scope": "${scopes}"},
)
`;

const goSnippet = ({
  issuer,
  clientId,
  redirectUri,
  scopes,
  hasSecret,
}: SnippetFacts): string => `provider, err := oidc.NewProvider(ctx, "${issuer}")
if err != nil {
	return err
}
config := oauth2.Config{
	ClientID:     "${clientId}",${hasSecret ? '\n\tClientSecret: os.Getenv("CLIENT_SECRET"),' : ""}
	Endpoint:     provider.Endpoint(),
	RedirectURL:  "${redirectUri}",
	Scopes:       []string{${scopes
    .split(" ")
    .map((scope) => JSON.stringify(scope))
    .join(", ")}},
}
verifier := provider.Verifier(&oidc.Config{ClientID: config.ClientID})
`;

const curlSnippet = ({
  issuer,
  clientId,
  redirectUri,
  hasSecret,
}: SnippetFacts): string => `curl ${issuer}/token \\
  ${hasSecret ? `--user "${clientId}:$CLIENT_SECRET"` : `--data-urlencode client_id=${clientId}`} \\
  --data-urlencode grant_type=authorization_code \\
  --data-urlencode code="$CODE" \\
  --data-urlencode redirect_uri=${redirectUri}
`;

export const snippetsFor = (facts: SnippetFacts): readonly Snippet[] => [
  { id: "node", title: "Node: openid-client", text: nodeSnippet(facts) },
  ...(facts.hasSecret
    ? [{ id: "passport", title: "Express: passport-openidconnect", text: passportSnippet(facts) }]
    : []),
  { id: "browser", title: "Browser: oidc-client-ts", text: browserSnippet(facts) },
  { id: "python", title: "Python: Authlib", text: pythonSnippet(facts) },
  { id: "go", title: "Go: go-oidc", text: goSnippet(facts) },
  { id: "curl", title: "curl: exchange a code", text: curlSnippet(facts) },
];
