/** Assignments as clients spell them. */
import { type TSchema, Type } from "@sinclair/typebox";
import { described } from "#kernel/shape";
import { POLICIES } from "../domain/moderation.ts";
import { MediaUsage } from "./media.ts";
import { Tag, TagReferences, UrlWords } from "./tags.ts";
import { given, Id, Instant } from "./texts.ts";

const flag = (description: string) => Type.Boolean({ description, examples: [false] });
const time = (description: string) => described(Instant, description, "2030-05-01T08:00:00Z");
const UserId = (description: string) => described(Id, description, "usr_1m7fqc7680000eyv1bw2px5");

const shared = {
  name: Type.String({
    minLength: 1,
    maxLength: 200,
    description: "What it is called.",
    examples: ["The flood"],
  }),
  description: given(
    Type.String({
      maxLength: 20_000,
      description: "The brief: what people are asked for.",
      examples: ["Show us the river where you live."],
    }),
  ),
  callToAction: given(
    Type.String({
      maxLength: 300,
      description: "What the button on its page says.",
      examples: ["Send your picture"],
    }),
  ),
  receiptMessage: given(
    Type.String({
      maxLength: 2000,
      description: "What people read when theirs has come in.",
      examples: ["Thank you."],
    }),
  ),
  moderator: given(UserId("Who may moderate besides its owner.")),
  starts: given(time("From when it takes contributions.")),
  ends: given(time("Until when it takes contributions; without it, always.")),
  embargo: given(time("Until then only its owner and moderator see it and what was sent.")),
  featured: given(flag("Whether it is to stand out.")),
  mediaRequired: given(flag("Whether a picture or film must come with it.")),
  allowsAnonymousContributions: given(flag("Whether people need not sign in to contribute on its page.")),
  moderation: given(
    Type.Union(
      POLICIES.map((policy) => Type.Literal(policy)),
      {
        description: "Whether a moderator looks before everybody sees a contribution, or after.",
        examples: ["before"],
      },
    ),
  ),
  locationPrecision: given(
    Type.Integer({
      minimum: 0,
      maximum: 12,
      description:
        "How long the geohash is that everybody sees of a position: 0 for none; without it, the exact position.",
      examples: [5],
    }),
  ),
  flagsHide: given(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      description: "How many flags hide a contribution until a moderator decides.",
      examples: [3],
    }),
  ),
  form: given(described(Id, "A form that contributors fill in.", "frm_1m7fqc7680000eyv1bw2px5")),
};
const CoverReference = Type.Object({
  media: Type.Object({ id: Id }, { description: "A picture that was sent to /media." }),
});
/** null clears the value. */
const clearable = <S extends TSchema>(schema: S) => {
  const { description, examples } = schema;
  return given(
    Type.Union([schema, Type.Null()], { description: `${description} null takes it back.`, examples }),
  );
};
export const AssignmentSubmission = Type.Object({
  ...shared,
  moderator: clearable(shared.moderator),
  starts: clearable(shared.starts),
  ends: clearable(shared.ends),
  embargo: clearable(shared.embargo),
  locationPrecision: clearable(shared.locationPrecision),
  form: clearable(shared.form),
  id: given(described(Id, "Of the assignment that is changed; what is left out then stays.")),
  name: given(shared.name),
  urlWords: given(UrlWords),
  cover: clearable(
    described(CoverReference, "A picture that stands for it.", {
      media: { id: "b7c1f1a4-6c0e-4c57-9a5e-0d2f6f6c2f11" },
    }),
  ),
  tags: given(TagReferences),
});
export const Assignment = Type.Object({
  id: Id,
  ...shared,
  urlWords: UrlWords,
  ownedBy: UserId("Whose it is."),
  open: flag("Whether it takes contributions right now."),
  created: time("When it was made."),
  webUrl: Type.String({
    description: "Address of its page for people.",
    examples: ["http://127.0.0.1:4020/contributions/1/pages/asg_1m7fqc7680000eyv1bw2px5"],
  }),
  cover: given(described(MediaUsage, "A picture that stands for it.")),
  tags: Type.Array(Tag, { description: "Its tags." }),
});
