/** Subscriptions and previews of messages, as clients see them. */
import { type Static, Type } from "@sinclair/typebox";
import { EVENT_TYPES } from "../domain/events.ts";

const TYPE_EXAMPLE = "contribution.created";
const Types = Type.Array(Type.Union(Object.keys(EVENT_TYPES).map((type) => Type.Literal(type))), {
  minItems: 1,
  maxItems: 50,
  description: "The type of the events, as /subscription-types lists it.",
  examples: [[TYPE_EXAMPLE]],
});
const address = (description: string) =>
  Type.Optional(
    Type.String({
      format: "uri",
      pattern: "^https?://",
      maxLength: 2000,
      description,
      examples: ["https://newsroom.example/hooks/contributions"],
    }),
  );
const ways = {
  assignment: Type.Optional(
    Type.String({
      maxLength: 64,
      description: "Only what happens in this assignment; everywhere when absent.",
      examples: ["0d9a4a58-2e0e-4b2e-8a1e-5f9f1f6a7c11"],
    }),
  ),
  email: Type.Optional(
    Type.String({
      format: "email",
      maxLength: 254,
      description: "Where mails go.",
      examples: ["desk@newsroom.example"],
    }),
  ),
  slackChannel: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2000,
      description: "A channel's name, or the address at which a chat takes messages.",
      examples: ["#pictures"],
    }),
  ),
  webhookUrl: address("Where events are sent to, signed with the token."),
  pushUrl: address("Where notices for a device are sent to, signed with the token."),
  includeThumbenail: Type.Optional(
    Type.Boolean({
      description: "The same as includeThumbnail, as older clients spell it.",
      examples: [true],
    }),
  ),
  includeThumbnail: Type.Optional(
    Type.Boolean({ description: "Whether a small picture is shown.", examples: [true] }),
  ),
};
const IncludeBody = Type.Boolean({
  description: "Whether the text of the contribution is part of the message.",
  examples: [true],
});

export const SubscriptionSubmission = Type.Object(
  { types: Types, includeBody: IncludeBody, ...ways },
  { description: "A subscription: the events, and how they are delivered." },
);
export const Subscription = Type.Object({
  id: Type.String({
    description: "The subscription's id.",
    examples: ["0b7f8a51-77c1-4c39-a70a-0e3fd1c2a111"],
  }),
  user: Type.String({ description: "Whose it is.", examples: ["123456789012"] }),
  token: Type.String({
    description: "With what deliveries of it are signed.",
    examples: ["qk3Z9c0b2hVwq1uYB7n4pX8sD6fG5jKl"],
  }),
  types: Types,
  includeBody: IncludeBody,
  ...ways,
});
export const SubscriptionType = Type.Object({
  id: Type.String({ description: "What it is called in subscriptions.", examples: [TYPE_EXAMPLE] }),
  name: Type.String({ description: "The same in words.", examples: ["A contribution came in"] }),
});
export const NotificationPreview = Type.Object({
  subject: Type.String({ description: "The subject.", examples: ["A contribution came in: “Flood”"] }),
  html: Type.String({ description: "The message as a page.", examples: ["<p>A contribution came in.</p>"] }),
  email: Type.String({ description: "The message as plain text.", examples: ["A contribution came in."] }),
});
export type SubscriptionView = Static<typeof Subscription>;
