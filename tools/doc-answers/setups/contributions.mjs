/** A person of the account, a form that is filled in, an export, pictures that are not public, and the public page. */
import sharp from "sharp";
import { eventually } from "./asking.mjs";
import { visit } from "./strangers.mjs";

const MOUNT = "/contributions/1";
const PERSON = { username: "ann", password: "Tall-Trees-7", name: "Ann Example", email: "ann@example.org" };

const pathOf = (address) => {
  const { pathname, search } = new URL(address);
  return pathname + search;
};

async function signedIn(given) {
  const { account, admin } = given;
  await admin("POST", "/_medley/credentials", { accounts: [{ ...account, users: [PERSON] }] });
  const { body: client } = await admin("POST", "/identity/client", {
    client_name: "Newsroom",
    client_uri: "https://newsroom.example.org",
    redirect_uris: ["https://newsroom.example.org/answer"],
  });
  const fields = {
    grant_type: "password",
    scope: "full",
    username: PERSON.username,
    password: PERSON.password,
    client_id: client.client_id,
    client_secret: client.client_secret,
  };
  await visit(given, "POST", `${MOUNT}/token`, { body: new URLSearchParams(fields), shown: fields });
}
async function filledIn({ call }) {
  const { body: form } = await call("contributions.forms.create", `${MOUNT}/forms`, {
    name: "Contact",
    fields: [{ name: "phone", label: "Your number", type: "telephone", required: true }],
  });
  await call("contributions.forms.get", `${MOUNT}/forms/${form.id}`);
  const filled = { form: form.id, responses: { phone: "+44 20 7946 0000" } };
  const { body } = await call("contributions.form-responses.create", `${MOUNT}/form-responses`, filled);
  await call("contributions.form-responses.get", `${MOUNT}/form-responses/${body.id}`);
  await call("contributions.form-responses.list", `${MOUNT}/form-responses?form=${form.id}`);
}
async function exported(given) {
  const { call } = given;
  const { body } = await call("contributions.exports.create", `${MOUNT}/export?format=none`);
  const find = async () => {
    const { body: now } = await call("contributions.exports.get", `${MOUNT}/exports/${body.id}`);
    return now.finished && now;
  };
  const { downloadUrl } = await eventually(find, "The export");
  await visit(given, "GET", pathOf(downloadUrl));
}
const picture = () =>
  sharp({ create: { width: 320, height: 240, channels: 3, background: { r: 40, g: 90, b: 160 } } })
    .png()
    .toBuffer();
async function onPage(given) {
  const { call } = given;
  const { body: assignments } = await call("contributions.assignments.list", `${MOUNT}/assignments`);
  const page = pathOf(assignments.find(({ name }) => name === "The river today").webUrl);
  await visit(given, "GET", page);
  const fields = { headline: "The new bank", body: "It holds.", consent: "yes" };
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.append("pictures", new Blob([await picture()], { type: "image/png" }), "bank.png");
  const shown = { ...fields, pictures: "@bank.png" };
  await visit(given, "POST", `${page}/contributions`, { body: form, shown });
}
/** Pictures of contributions that are not approved have addresses that end. */
async function waiting(given) {
  const find = async () => {
    const { body } = await given.call("contributions.contributions.list", `${MOUNT}/contributions?q=bank`);
    return /"(http[^"]*\/private-media\/[^"]*)"/.exec(JSON.stringify(body))?.[1];
  };
  await visit(given, "GET", pathOf(await eventually(find, "The picture")));
}

/** One that fails leaves the others as they are. */
export async function recordContributions(given) {
  for (const make of [signedIn, filledIn, exported, onPage, waiting])
    await make(given).catch(({ message }) => console.error(`contributions, ${make.name}: ${message}`));
}
