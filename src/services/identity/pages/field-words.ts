/** Descriptions of form fields for the documentation, and their length limits. Forms have no other fields. */
/**
 * The transport limit of a field. A value within it that is too long for its field is reported on the page.
 */
const LINE_LENGTH_MAX = 8_192;
/** As much as a form may hold. */
const LONG_LENGTH_MAX = 65_536;

const words = (description: string, example: string, maxLength = LINE_LENGTH_MAX) => ({
  description,
  examples: [example],
  maxLength,
});

export const fieldWords = {
  account: words("The account's number: twelve digits.", "123456789012"),
  username: words("The name to sign in with.", "ann"),
  password: words("The password.", "Tall-Trees-7"),
  new_password: words("The password to have from now on.", "Taller-Trees-8"),
  delete_password: words("The password, to delete the account with.", "Tall-Trees-7"),
  passkey: words(
    "What the browser made with the passkey, as JSON.",
    '{"id":"a2V5","type":"public-key"}',
    LONG_LENGTH_MAX,
  ),
  passkey_name: words("What the passkey is called.", "Phone"),
  passkey_password: words("The password, to add a passkey with.", "Tall-Trees-7"),
  credential: words("The passkey to remove.", "a2V5"),
  session: words("The session to end.", "k3Jx0Qm2vT"),
  token: words("The token of the link that was sent, or of an account owner.", "k3Jx0Qm2vT"),
  form_token: words("Shows that the form came from a page of this service.", "q8Zr4LwN1c"),
  decision: words("What the person chose.", "allow"),
  client_id: words("The application's id.", "app_1"),
  name: words("The whole name.", "Ann Example"),
  given_name: words("The first name.", "Ann"),
  family_name: words("The last name.", "Example"),
  nickname: words("What friends say.", "Annie"),
  email: words("The mail address.", "ann@example.org"),
  phone_number: words("The telephone number.", "+12065550142"),
  website: words("A web page.", "https://ann.example.org"),
  picture: words("The address of a picture.", "https://ann.example.org/ann.png"),
  gender: words("As the person says it.", "female"),
  birthdate: words("The day of birth.", "1990-05-01"),
  zoneinfo: words("The time zone.", "Europe/Berlin"),
  locale: words("The language.", "en-GB"),
  street_address: words("Street and number.", "1 Long Lane"),
  locality: words("The town.", "Springfield"),
  region: words("The state or region.", "Kent"),
  postal_code: words("The postal code.", "12345"),
  country: words("The country.", "GB"),
  latitude: words("Degrees north of the equator.", "51.5"),
  longitude: words("Degrees east of Greenwich.", "-0.12"),
  client_name: words("Shown to people who sign in.", "Garden planner"),
  client_uri: words("Home page of the application.", "https://garden.example.org"),
  redirect_uris: words(
    "Where answers may go, one URL on each line.",
    "https://garden.example.org/signed-in",
    LONG_LENGTH_MAX,
  ),
  post_logout_redirect_uris: words(
    "Where a sign-out may lead, one URL on each line.",
    "https://garden.example.org/bye",
    LONG_LENGTH_MAX,
  ),
  application_type: words("web or native.", "web"),
  token_endpoint_auth_method: words("How the application shows its secret.", "client_secret_basic"),
  id_token_signed_response_alg: words("How its ID tokens are signed.", "RS256"),
  contacts: words("Whom to write to, one address on each line.", "ann@example.org", LONG_LENGTH_MAX),
  logo_uri: words("A picture of the application.", "https://garden.example.org/logo.png"),
  policy_uri: words("How the application uses data.", "https://garden.example.org/privacy"),
  tos_uri: words("Terms of service.", "https://garden.example.org/terms"),
  default_scopes: words("Scopes it asks for where a request does not say.", "openid profile"),
  default_max_age: words(
    "Seconds since people last proved who they are, where a request does not say.",
    "3600",
  ),
  scope: words("Permissions its tokens may carry.", "braille:*"),
  subject_type: words("public, or pairwise: names of its own for people.", "public"),
  sector_identifier_uri: words(
    "A JSON list of redirect URLs; clients that share it have the same names for people.",
    "https://garden.example.org/sector.json",
  ),
  backchannel_logout_uri: words(
    "Gets a logout token by POST when a session ends.",
    "https://garden.example.org/session-ended",
  ),
  backchannel_logout_session_required: words(
    "on: logout tokens must name the session; they always do.",
    "on",
  ),
  frontchannel_logout_uri: words(
    "Shown in a frame when the person signs out in their browser.",
    "https://garden.example.org/frame",
  ),
  frontchannel_logout_session_required: words(
    "on: the frame's address must name the session; it always does.",
    "on",
  ),
  test_mode: words("on: redirect URLs need not be registered.", "on"),
  client_secret: words("The present secret, where a change needs it as a key.", "kX2vQ9mTz7"),
} as const;
export type FieldName = keyof typeof fieldWords;
/** Required fields. The page reports a missing one. */
const DEMANDED = new Set<FieldName>([
  "client_name",
  "client_uri",
  "credential",
  "decision",
  "delete_password",
  "form_token",
  "new_password",
  "passkey",
  "session",
]);
export const isDemanded = (name: FieldName): boolean => DEMANDED.has(name);
