/** People of an account as the contribution service knows them, each with a token from its token address. */
import { beforeAll, expect } from "vitest";
import type { Instance, Sent } from "./medley.ts";
import { accounts } from "./medley.ts";

export const BASE = "/contributions/1";

export type As = {
  send(method: string, path: string, body?: unknown): Promise<Sent>;
  readonly userId: string;
};

export const asToken = (instance: Instance, token: string | undefined, userId = ""): As => ({
  userId,
  send: (method, path, body) =>
    instance.send(method, `${BASE}${path}`, {
      ...(body !== undefined && { body }),
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    }),
});

export type Newsroom = {
  /** The account's own token. */
  readonly account: As;
  readonly ann: As;
  readonly bob: As;
  readonly cleo: As;
  readonly stranger: As;
  readonly tokens: Readonly<Record<"ann" | "bob" | "cleo", string>>;
  readonly client: { readonly id: string; readonly secret: string };
};

const PEOPLE = [
  { username: "ann", password: "ann-password-1", name: "Ann Example", email: "ann@example.org" },
  { username: "bob", password: "bob-password-1", name: "Bob Example", email: "bob@example.org" },
  { username: "cleo", password: "cleo-password-1", name: "Cleo Example", email: "cleo@example.org" },
] as const;

export async function openNewsroom(instance: Instance): Promise<Newsroom> {
  await instance.bearer("POST", "/_medley/credentials", {
    body: { accounts: [{ ...accounts.first, users: PEOPLE }] },
  });
  const registered = await instance.bearer("POST", "/identity/client", {
    body: {
      client_name: "Newsroom",
      client_uri: "https://newsroom.example.org",
      redirect_uris: ["https://newsroom.example.org/answer"],
    },
  });
  expect(registered.status, registered.text).toBe(201);
  const client = { id: registered.body.client_id, secret: registered.body.client_secret };
  const tokenOf = async (username: string, password: string): Promise<string> => {
    const answered = await instance.send("POST", `${BASE}/token`, {
      body: new URLSearchParams({
        grant_type: "password",
        scope: "full",
        username,
        password,
        client_id: client.id,
        client_secret: client.secret,
      }),
    });
    expect(answered.status, answered.text).toBe(200);
    return answered.body.access_token;
  };
  const [ann, bob, cleo] = (await Promise.all(
    PEOPLE.map(({ username, password }) => tokenOf(username, password)),
  )) as [string, string, string];
  const personOf = async (token: string): Promise<As> => {
    const { body } = await asToken(instance, token).send("POST", "/verify");
    return asToken(instance, token, body.user.id);
  };
  return {
    account: asToken(instance, accounts.first.tokens[0], accounts.first.id),
    ann: await personOf(ann),
    bob: await personOf(bob),
    cleo: await personOf(cleo),
    stranger: asToken(instance, undefined),
    tokens: { ann, bob, cleo },
    client,
  };
}

export const ok = async (sent: Promise<Sent>): Promise<any> => {
  const answered = await sent;
  expect(answered.status, answered.text).toBe(200);
  return answered.body;
};
/** What most tests do first. */
export type Desk = {
  readonly room: Newsroom;
  /** By Ann. What comes in is public at once. */
  assign(body?: object): Promise<any>;
  /** By Bob, unless somebody else is named. */
  contribute(assignment: string, body?: object, by?: As): Promise<any>;
  /** What each of them is answered. */
  statuses(path: string): Promise<Record<string, number>>;
};
/** Within a suite: the people are there when its tests begin. */
export function deskOf(instance: () => Instance): Desk {
  let room: Newsroom;
  beforeAll(async () => {
    room = await openNewsroom(instance());
  });
  return {
    get room() {
      return room;
    },
    assign: (body = {}) =>
      ok(room.ann.send("POST", "/assignments", { name: "The flood", moderation: "after", ...body })),
    contribute: (assignment, body = {}, by = room.bob) =>
      ok(
        by.send("POST", "/contributions", {
          assignment: { id: assignment },
          headline: "The bridge",
          ...body,
        }),
      ),
    async statuses(path) {
      const names = ["account", "ann", "bob", "cleo", "stranger"] as const;
      const asked = names.map(async (name) => [name, (await room[name].send("GET", path)).status] as const);
      return Object.fromEntries(await Promise.all(asked));
    },
  };
}
