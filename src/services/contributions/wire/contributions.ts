/** Contributions, and the actions of users on them. */
import { Type } from "@sinclair/typebox";
import { described } from "#kernel/shape";
import { ACTIONS, FLAG_TYPES, STATES } from "../domain/moderation.ts";
import { Assignment } from "./assignments.ts";
import { PublicAnswer, Responses } from "./forms.ts";
import { MediaUsage } from "./media.ts";
import { Place } from "./places.ts";
import { Tag, TagReferences, UrlWords } from "./tags.ts";
import { given, Id, IdReference, Instant } from "./texts.ts";
import { Authority } from "./users.ts";

const Headline = Type.String({
  maxLength: 500,
  description: "Its headline.",
  examples: ["The bridge this morning"],
});
const Body = Type.String({
  maxLength: 50_000,
  description: "The text.",
  examples: ["The water is still rising."],
});
const Attribution = Type.String({
  maxLength: 300,
  description: "Whom to name beside it.",
  examples: ["Ann Example"],
});
const ExternalIds = Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 200 }), {
  maxProperties: 20,
  description: "Its ids elsewhere.",
  examples: [{ newsroom: "2030-17" }],
});
const PlaceGiven = described(Place, "Where it is.");

export const StateId = Type.Union(
  STATES.map((state) => Type.Literal(state)),
  { description: "How it stands.", examples: ["pending"] },
);
const ModerationState = Type.Object({
  id: StateId,
  label: Type.String({ description: "The same in words.", examples: ["Approved"] }),
  public: Type.Boolean({ description: "Whether everybody sees what is in this state.", examples: [true] }),
});
const ActionId = Type.Union(
  ACTIONS.map((action) => Type.Literal(action)),
  { description: "What is done.", examples: ["approve"] },
);
const ModerationAction = Type.Object({
  id: ActionId,
  label: Type.String({ description: "The same in words.", examples: ["Approve"] }),
  resultingState: described(ModerationState, "What it leads to."),
});
const Notes = Type.String({ maxLength: 5000, description: "Why.", examples: ["Checked with the caller."] });
const ModerationHistoryItem = Type.Object({
  action: described(ModerationAction, "What was done."),
  date: described(Instant, "When.", "2030-05-01T08:00:00Z"),
  notes: given(Notes),
  user: given(described(Id, "Who did it; nobody where flags did.", "usr_1m7fqc7680000eyv1bw2px5")),
});
export const ModerationSubmission = Type.Object({
  action: Type.Object({ id: ActionId }, { description: "What is done." }),
  notes: given(Notes),
});

export const Via = Type.Object({
  authority: given(described(Authority, "By which client and person.")),
  ipAddress: given(Type.String({ description: "From which address.", examples: ["203.0.113.7"] })),
});

const FlagName = Type.Union(
  FLAG_TYPES.map((type) => Type.Literal(type)),
  { description: "What is wrong with it.", examples: ["privacy"] },
);
const flagProperties = {
  notes: given(
    Type.String({ maxLength: 5000, description: "More about it.", examples: ["A child's face."] }),
  ),
  email: given(
    Type.String({
      maxLength: 320,
      pattern: "^[^\\s@]{1,64}@[^\\s@]{1,255}$",
      description: "Where to answer.",
      examples: ["ann@example.org"],
    }),
  ),
};
export const FlagSubmission = Type.Object({ type: FlagName, ...flagProperties });
export const Flag = Type.Object({
  id: Id,
  type: FlagName,
  ...flagProperties,
  date: described(Instant, "When.", "2030-05-01T08:00:00Z"),
});

export const ContributionSubmission = Type.Object({
  assignment: described(IdReference, "What it contributes to."),
  headline: given(Headline),
  body: given(Body),
  attribution: given(Attribution),
  place: given(PlaceGiven),
  mediaUsages: given(
    Type.Array(Type.Object({ media: described(IdReference, "What was sent to /media.") }), {
      maxItems: 50,
      description: "Its pictures and films, in their order.",
    }),
  ),
  tags: given(TagReferences),
  responses: given(Responses),
  externalIds: given(ExternalIds),
});
export const ContributionChange = Type.Object({
  headline: given(Headline),
  body: given(Body),
  attribution: given(Attribution),
});
export const Edit = Type.Object({
  headline: Headline,
  body: Body,
  attribution: Attribution,
  until: described(Instant, "When it was changed.", "2030-05-01T08:00:00Z"),
});
export const Contribution = Type.Object({
  id: Id,
  headline: Headline,
  body: Body,
  attribution: Attribution,
  urlWords: UrlWords,
  created: described(Instant, "When it came in.", "2030-05-01T08:00:00Z"),
  assignment: given(described(Assignment, "What it contributes to.")),
  user: given(described(Id, "Who contributed it.", "usr_1m7fqc7680000eyv1bw2px5")),
  ownedBy: described(Id, "Whose it is to decide on.", "usr_1m7fqc7680000eyv1bw2px5"),
  place: given(PlaceGiven),
  mediaUsages: Type.Array(MediaUsage, { description: "Its pictures and films." }),
  tags: Type.Array(Tag, { description: "Its tags." }),
  publicAnswers: given(
    Type.Array(PublicAnswer, {
      description: "What its contributor filled in where the form says that everybody may read it.",
    }),
  ),
  likes: Type.Integer({ description: "How many like it.", examples: [12] }),
  externalIds: given(ExternalIds),
  formResponse: given(described(Id, "What its contributor filled in.", "1m7fqc7680000eyv1bw2px5")),
  moderationState: given(described(ModerationState, "How it stands; for those who may know.")),
  moderationHistory: given(
    Type.Array(ModerationHistoryItem, { description: "What moderators did; for those who may know." }),
  ),
  flags: given(
    Type.Integer({ description: "How many flags it has; for those who may know.", examples: [0] }),
  ),
  flagReasons: given(
    Type.Array(Flag, {
      description:
        "What people flagged it for, the latest first and twenty at the most; for those who decide on it.",
    }),
  ),
  via: given(described(Via, "How it came; for those who may know.")),
});
