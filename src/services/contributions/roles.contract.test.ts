/** Every operation by every role: who gets what, which error others get, and that no answer reveals hidden records. */
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unzip } from "../../../tests/support/archives.ts";
import { type As, asToken, type Newsroom, ok, openNewsroom } from "../../../tests/support/contributions.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { accounts, type Instance, type Sent, startInstance } from "../../../tests/support/medley.ts";
import contributions from "./index.ts";

/** Roles that are refused come before roles that change something. */
const ROLES = ["stranger", "elsewhere", "contributor", "moderator", "owner"] as const;
type Role = (typeof ROLES)[number];
type Statuses = readonly [
  stranger: number,
  elsewhere: number,
  contributor: number,
  moderator: number,
  owner: number,
];
type Case = readonly [
  operation: string,
  request: string | (() => Promise<string>),
  statuses: Statuses,
  body?: object | (() => object),
];

const EVERYBODY: Statuses = [200, 200, 200, 200, 200];
const SIGNED_IN: Statuses = [401, 200, 200, 200, 200];
const OF_THE_ACCOUNT: Statuses = [401, 404, 200, 200, 200];
const PUBLIC: Statuses = [200, 404, 200, 200, 200];
const DECIDERS: Statuses = [401, 404, 404, 200, 200];
const OWNER: Statuses = [401, 404, 404, 404, 200];
const OWNER_OF_WHAT_IS_SEEN: Statuses = [401, 404, 403, 403, 200];

let instance: Instance;
let people: Record<Role, As>;
const made = {
  assignment: "",
  embargoed: "",
  shown: "",
  contributors: "",
  hidden: "",
  tag: "",
  tagSet: "",
  form: "",
  response: "",
  media: "",
  export: "",
};

const SUBSCRIPTION = {
  types: ["contribution.created"],
  email: "desk@example.org",
  includeBody: false,
  includeThumbnail: false,
};
const HERON = "Hidden heron";
const HERE = { latLong: { latitude: 45.76, longitude: 4.84 } };

const idOf = async (sent: Promise<Sent>): Promise<string> => (await ok(sent)).id;
const assignmentOf = (body: object = {}) =>
  idOf(people.owner.send("POST", "/assignments", { name: "The flood", moderation: "before", ...body }));
const contributionOf = (by: As, assignment: string, body: object = {}) =>
  idOf(by.send("POST", "/contributions", { assignment: { id: assignment }, headline: "A street", ...body }));

async function makeRecords({ owner, contributor, moderator }: typeof people): Promise<void> {
  const picture = await sharp({ create: { width: 60, height: 40, channels: 3, background: "#1f6feb" } })
    .jpeg()
    .toBuffer();
  made.tagSet = await idOf(owner.send("POST", "/tagsets", { name: "Subjects", urlWords: "subjects" }));
  made.tag = await idOf(owner.send("POST", "/tags", { name: "Floods", tagSet: { id: made.tagSet } }));
  made.form = await idOf(
    owner.send("POST", "/forms", { name: "Contact", fields: [{ name: "phone", type: "telephone" }] }),
  );
  made.response = await idOf(
    contributor.send("POST", "/form-responses", { form: made.form, responses: { phone: "+44 20" } }),
  );
  made.assignment = await assignmentOf({ moderator: moderator.userId, flagsHide: 50 });
  const embargo = new Date(instance.clock.nowMs() + 86_400_000).toISOString();
  made.embargoed = await assignmentOf({ moderator: moderator.userId, embargo, name: HERON });
  made.shown = await contributionOf(contributor, made.assignment, { headline: "A bridge" });
  await ok(moderator.send("POST", `/contributions/${made.shown}/moderate`, { action: { id: "approve" } }));
  made.contributors = await contributionOf(contributor, made.assignment, { headline: "A garden" });
  made.media = await idOf(owner.send("POST", "/media", picture));
  made.hidden = await contributionOf(owner, made.assignment, {
    headline: HERON,
    place: { ...HERE, name: "Heronry" },
    tags: [{ id: made.tag }],
    mediaUsages: [{ media: { id: made.media } }],
  });
  await eventually(
    async () =>
      (await ok(owner.send("GET", `/contributions/${made.hidden}`))).mediaUsages[0].media.state === "ready",
    "artifacts",
  );
  const exported = await owner.send("POST", `/export?assignment=${made.assignment}`);
  expect(exported.status, exported.text).toBe(202);
  made.export = exported.body.id;
}

beforeAll(async () => {
  instance = await startInstance({ services: ["identity", "contributions"] });
  const room: Newsroom = await openNewsroom(instance);
  const { ann: owner, bob: contributor, cleo: moderator, stranger } = room;
  const elsewhere = asToken(instance, accounts.second.tokens[0]);
  people = { stranger, elsewhere, contributor, moderator, owner };
  await makeRecords(people);
});
afterAll(() => instance?.stop());

/** By kind of record. For deletions each role gets its own record. */
const at = (request: string, name: keyof typeof made, rest = "") => `${request}{${name}}${rest}`;
const filledIn = (request: string): string =>
  request.replace(/\{(\w+)\}/g, (_, name) => made[name as keyof typeof made]);

const CASES: readonly Case[] = [
  ["scopes.list", "GET /scopes", SIGNED_IN],
  ["credentials.list", "GET /credentials", SIGNED_IN],
  ["verify", "POST /verify", SIGNED_IN],
  ["token", "POST /token", [401, 401, 401, 401, 401], new URLSearchParams({ grant_type: "password" })],
  ["event-types.list", "GET /event-types", EVERYBODY],
  ["refinement-types.list", "GET /contribution-refinement-types", EVERYBODY],
  ["artifactFormats.list", "GET /artifact-formats", EVERYBODY],
  ["subscriptionTypes.list", "GET /subscription-types", EVERYBODY],
  ["change-log.list", "GET /change-log", SIGNED_IN],

  ["assignments.create", "POST /assignments", SIGNED_IN, { name: "Another" }],
  [
    "assignments.create",
    "POST /assignments",
    OWNER_OF_WHAT_IS_SEEN,
    () => ({ id: made.assignment, callToAction: "Show us" }),
  ],
  ["assignments.create", "POST /assignments", [401, 404, 404, 403, 200], () => ({ id: made.embargoed })],
  ["assignments.get", at("GET /assignments/", "assignment"), PUBLIC],
  ["assignments.get", at("GET /assignments/", "embargoed"), DECIDERS],
  ["assignments.list", "GET /assignments", SIGNED_IN],
  ["assignments.delete", async () => `DELETE /assignments/${await assignmentOf()}`, OWNER_OF_WHAT_IS_SEEN],

  [
    "contributions.create",
    "POST /contributions",
    OF_THE_ACCOUNT,
    () => ({ assignment: { id: made.assignment }, headline: "A field" }),
  ],
  [
    "contributions.create",
    "POST /contributions",
    DECIDERS,
    () => ({ assignment: { id: made.embargoed }, headline: "A field" }),
  ],
  ["contributions.get", at("GET /contributions/", "shown"), PUBLIC],
  ["contributions.get", at("GET /contributions/", "contributors"), OF_THE_ACCOUNT],
  ["contributions.get", at("GET /contributions/", "hidden"), DECIDERS],
  ["contributions.list", "GET /contributions", SIGNED_IN],
  ["contributions.list", at("GET /contributions?assignment=", "assignment"), EVERYBODY],
  ["contributions.list", at("GET /contributions?assignment=", "embargoed"), SIGNED_IN],
  [
    "contributions.delete",
    async () => `DELETE /contributions/${await contributionOf(people.owner, made.assignment)}`,
    DECIDERS,
  ],
  [
    "contributions.delete",
    async () => `DELETE /contributions/${await contributionOf(people.contributor, made.assignment)}`,
    OF_THE_ACCOUNT,
  ],
  [
    "contributions.change",
    async () => `PATCH /contributions/${await contributionOf(people.contributor, made.assignment)}`,
    [401, 404, 200, 403, 403],
    { body: "Other words." },
  ],
  ["contributions.edits", at("GET /contributions/", "contributors", "/edits"), [401, 404, 200, 200, 200]],
  ["contributions.like", at("POST /contributions/", "shown", "/like"), OF_THE_ACCOUNT],
  ["contributions.like", at("POST /contributions/", "hidden", "/like"), DECIDERS],
  ["contributions.likes", at("GET /contributions/", "shown", "/likes"), PUBLIC],
  ["contributions.likes", at("GET /contributions/", "hidden", "/likes"), DECIDERS],
  ["contributions.flag", at("POST /contributions/", "shown", "/flag"), PUBLIC, { type: "spam" }],
  ["contributions.flag", at("POST /contributions/", "hidden", "/flag"), DECIDERS, { type: "spam" }],
  [
    "contributions.moderate",
    at("POST /contributions/", "contributors", "/moderate"),
    [401, 404, 403, 200, 200],
    { action: { id: "hold" } },
  ],
  [
    "contributions.moderate",
    at("POST /contributions/", "hidden", "/moderate"),
    DECIDERS,
    { action: { id: "hold" } },
  ],
  ["refinements.list", "GET /contribution-refinements", SIGNED_IN],
  ["refinements.list", at("GET /contribution-refinements?assignment=", "assignment"), EVERYBODY],

  ["exports.create", at("POST /export?format=none&assignment=", "assignment"), [401, 202, 202, 202, 202]],
  ["exports.summarise", at("POST /export-summary?assignment=", "assignment"), SIGNED_IN],
  ["exports.get", at("GET /exports/", "export"), OWNER],
  ["exports.download", at("GET /exports/", "export", "/download?token=made-up"), [404, 404, 404, 404, 404]],

  ["tags.create", "POST /tags", SIGNED_IN, { name: "Another" }],
  ["tags.get", at("GET /tags/", "tag"), PUBLIC],
  ["tags.list", "GET /tags", SIGNED_IN],
  ["tags.list", at("GET /tags?tagSet=", "tagSet"), EVERYBODY],
  ["tagsets.create", "POST /tagsets", SIGNED_IN, { name: "Another", urlWords: "another" }],
  ["tagsets.get", at("GET /tagsets/", "tagSet"), PUBLIC],
  ["tagsets.list", "GET /tagsets", SIGNED_IN],

  [
    "forms.create",
    "POST /forms",
    SIGNED_IN,
    { name: "Another", fields: [{ name: "phone", type: "telephone" }] },
  ],
  ["forms.get", at("GET /forms/", "form"), PUBLIC],
  ["forms.list", async () => `GET /forms?ownedBy=${people.owner.userId}`, EVERYBODY],
  [
    "forms.delete",
    async () => `DELETE /forms/${await idOf(people.owner.send("POST", "/forms", { name: "x", fields: [] }))}`,
    OWNER_OF_WHAT_IS_SEEN,
  ],
  [
    "form-responses.create",
    "POST /form-responses",
    [401, 400, 200, 200, 200],
    () => ({ form: made.form, responses: { phone: "+44 20" } }),
  ],
  ["form-responses.get", at("GET /form-responses/", "response"), [401, 404, 200, 404, 200]],
  ["form-responses.list", at("GET /form-responses?form=", "form"), SIGNED_IN],

  ["media.create", "POST /media", [401, 400, 400, 400, 400], Buffer.from("neither picture nor film")],
  ["media.artifact", at("GET /media/", "media", "/thumbnail"), DECIDERS],
  ["media.artifact", at("GET /media/", "media", "/original"), DECIDERS],
  ["media.privateArtifact", "GET /private-media/made-up", [404, 404, 404, 404, 404]],

  ["users.get", async () => `GET /users/${people.contributor.userId}`, PUBLIC],
  [
    "users.linked",
    async () => `GET /users/${people.contributor.userId}/linked/identity`,
    [401, 404, 200, 404, 404],
  ],
  ["users.list", "GET /users", SIGNED_IN],
  ["users.list", at("GET /users?assignment=", "assignment"), EVERYBODY],

  ["subscriptions.list", "GET /subscriptions", SIGNED_IN],
  ["subscriptions.create", "POST /subscriptions", SIGNED_IN, SUBSCRIPTION],
  [
    "subscriptions.delete",
    async () =>
      `DELETE /subscriptions/${await idOf(people.owner.send("POST", "/subscriptions", SUBSCRIPTION))}`,
    OWNER,
  ],
  [
    "notifications.preview",
    at("GET /notifications/contributions/", "hidden", "/preview?message=contribution.created"),
    DECIDERS,
  ],

  ["moderation", "GET /moderation", EVERYBODY],
  ["pages.view", at("GET /pages/", "assignment"), PUBLIC],
  ["pages.view", at("GET /pages/", "embargoed"), [404, 404, 404, 404, 404]],
  ["pages.contribute", at("POST /pages/", "embargoed", "/contributions"), [404, 400, 400, 400, 400]],
];

async function statusesOf([, request, , body]: Case): Promise<number[]> {
  const statuses: number[] = [];
  for (const role of ROLES) {
    const [method = "", path = ""] = (
      typeof request === "string" ? filledIn(request) : await request()
    ).split(" ");
    const sent = await people[role].send(method, path, typeof body === "function" ? body() : body);
    statuses.push(sent.status);
  }
  return statuses;
}

describe("by every role", () => {
  it.each(CASES.map((one, number) => [one[0], number, one] as const))("%s, case %i", async (_, __, one) => {
    expect(await statusesOf(one)).toEqual(one[2]);
  });

  it("each operation is in the table", () => {
    const told = new Set(CASES.map(([operation]) => `contributions.${operation}`));
    expect(contributions.operations.map(({ id }) => id).filter((id) => !told.has(id))).toEqual([]);
  });
});

describe("what is hidden from a contributor, strangers and other accounts", () => {
  const hiding = ["contributor", "stranger", "elsewhere"] as const;
  /** Each of these filters would match it. */
  const filters = () => [
    "",
    "q=heron",
    "country=FR",
    "geohash=u05k",
    "hasLocation=true",
    "latLong=45.76,4.84",
    "mediaType=image",
    `user=${people.owner.userId}`,
    `tags=${made.tag}`,
    `ids=${made.hidden}`,
    "urlWords=hidden-heron",
    `ownedBy=${people.owner.userId}`,
  ];
  const isTold = (text: string): boolean =>
    /hidden.heron|heronry/i.test(text) || text.includes(made.hidden) || text.includes(made.media);

  it.each(hiding)("is in no list, feed, count or refinement for %s", async (role) => {
    for (const filter of filters()) {
      const query = `assignment=${made.assignment}&${filter}`;
      const list = await people[role].send("GET", `/contributions?${query}`);
      const feed = await people[role].send("GET", `/contributions?${query}&format=rss`);
      const counts = await people[role].send("GET", `/contribution-refinements?${query}`);
      expect([filter, list.status, isTold(list.text)]).toEqual([filter, 200, false]);
      // A feed repeats the query.
      if (!/heron|ids/.test(filter)) expect([filter, isTold(feed.text)]).toEqual([filter, false]);
      expect(feed.text.match(/<item>/g)?.length ?? 0).toBe(list.body.length);
      expect([filter, list.headers.get("x-total-count")]).toEqual([filter, String(list.body.length)]);
      expect([filter, counts.body.assignment[0]?.count ?? 0]).toEqual([filter, list.body.length]);
      expect(isTold(counts.text)).toBe(false);
      expect(counts.text).not.toContain('"value":"FR"');
    }
  });

  it.each(["contributor", "elsewhere"] as const)(
    "is in no export, summary or change log of %s",
    async (role) => {
      const query = `assignment=${made.assignment}`;
      const list = await people[role].send("GET", `/contributions?${query}&pageSize=100`);
      const summary = await ok(people[role].send("POST", `/export-summary?${query}`));
      expect([summary.contributions, summary.media]).toEqual([list.body.length, 0]);
      const { id } = (await people[role].send("POST", `/export?${query}&json=true&combined=true`)).body;
      const { downloadUrl } = await eventually(async () => {
        const now = (await people[role].send("GET", `/exports/${id}`)).body;
        return now.finished !== undefined && now;
      }, "the archive");
      const files = await unzip((await instance.send("GET", downloadUrl)).bytes);
      for (const [name, bytes] of files)
        expect([name, isTold(name + bytes.toString())]).toEqual([name, false]);
      expect([...files.keys()].filter((name) => name.startsWith("json/"))).toHaveLength(list.body.length);
      expect(isTold((await people[role].send("GET", `/change-log?${query}`)).text)).toBe(false);
    },
  );

  it("is on no page, nor are assignments under an embargo and those who only sent hidden things", async () => {
    expect(isTold((await people.stranger.send("GET", `/pages/${made.assignment}`)).text)).toBe(false);
    for (const role of hiding) {
      const assignments = await people[role].send(
        "GET",
        `/assignments?ownedBy=${people.owner.userId}&pageSize=100`,
      );
      expect(isTold(assignments.text)).toBe(false);
      expect(assignments.headers.get("x-total-count")).toBe(String(assignments.body.length));
      const users = await people[role].send(
        "GET",
        `/users?assignment=${made.assignment}&minimumContributions=1`,
      );
      expect(users.text).not.toContain(people.owner.userId);
      expect(users.headers.get("x-total-count")).toBe(String(users.body.length));
    }
  });
});
