/** People as clients see them. */
import { type Static, Type } from "@sinclair/typebox";
import { isoOf } from "#kernel/clock";
import { described } from "#kernel/shape";
import type { UserRow } from "../tables/index.ts";
import { given, Id, Instant } from "./texts.ts";

export const User = Type.Object({
  id: described(Id, "The person's id.", "usr_1m7fqc7680000eyv1bw2px5"),
  username: Type.String({ description: "The name they sign in with.", examples: ["ann"] }),
  displayName: Type.String({ description: "What others call them.", examples: ["Ann Example"] }),
  bio: given(Type.String({ description: "What they say of themselves.", examples: ["Photographer."] })),
  registered: Instant,
});
export const userViewOf = (row: UserRow): Static<typeof User> => ({
  id: row.id,
  username: row.username,
  displayName: row.display_name,
  ...(row.bio !== "" && { bio: row.bio }),
  registered: isoOf(Number(row.registered_at)),
});

export const LinkedProfile = Type.Object({
  id: Type.String({ description: "The id there.", examples: ["usr_1m7fqc7680000eyv1bw2px5"] }),
  name: Type.String({ description: "What they are called there.", examples: ["Ann Example"] }),
  email: given(Type.String({ description: "Their address.", examples: ["ann@example.org"] })),
  picture: given(
    Type.String({ description: "Address of a picture of them.", examples: ["https://example.org/ann.jpg"] }),
  ),
  profile: given(
    Type.String({ description: "Address of their page.", examples: ["https://example.org/ann"] }),
  ),
  bio: given(Type.String({ description: "What they say of themselves.", examples: ["Photographer."] })),
  registered: Instant,
});
export const LINKED_TYPES = ["account", "identity"] as const;
export const LinkedType = Type.Union(
  LINKED_TYPES.map((type) => Type.Literal(type)),
  {
    description: "Where the profile is: with the identity service, or the account's own.",
    examples: ["identity"],
  },
);

const Client = Type.Object({
  id: Type.String({ description: "The client's id.", examples: ["app_1m7fqc7680000eyv1bw2px5"] }),
  name: given(Type.String({ description: "What it is called.", examples: ["Newsroom"] })),
});
export const Authority = Type.Object({
  id: Type.String({
    description: "The credential's public name.",
    examples: ["app_1m7fqc7680000eyv1bw2px5"],
  }),
  client: given(Client),
  user: given(User),
});
export const Credential = Type.Object({
  type: Type.String({ description: "What kind of credential it is.", examples: ["token"] }),
  user: Type.String({ description: "Whom it speaks for.", examples: ["usr_1m7fqc7680000eyv1bw2px5"] }),
  scopes: Type.Array(Type.String(), { description: "What it opens.", examples: [["full"]] }),
  value: Type.String({ description: "Enough to recognise it, too little to use it.", examples: ["kX2v…"] }),
});
