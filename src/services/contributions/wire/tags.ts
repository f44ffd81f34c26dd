/** Tags and tag sets. */
import { Type } from "@sinclair/typebox";
import { described } from "#kernel/shape";
import { given, Id, IdReference } from "./texts.ts";

const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  description: "What it is called.",
  examples: ["Floods"],
});
const Colour = Type.String({
  pattern: "^#[0-9a-fA-F]{6}$",
  description: "A colour for it.",
  examples: ["#1f6feb"],
});
export const UrlWords = Type.String({
  pattern: "^[a-z0-9](?:[a-z0-9-]{0,98}[a-z0-9])?$",
  description: "How addresses spell it; made of the name where it is missing.",
  examples: ["floods"],
});

export const TagSet = Type.Object({ id: Id, name: Name, urlWords: UrlWords });
export const Tag = Type.Object({
  id: Id,
  name: Name,
  urlWords: UrlWords,
  colour: given(Colour),
  tagSet: given(described(TagSet, "The set it belongs to.")),
});
export const TagSetSubmission = Type.Object({ name: Name, urlWords: UrlWords });
export const TagSubmission = Type.Object({
  name: Name,
  urlWords: given(UrlWords),
  colour: given(Colour),
  tagSet: given(described(IdReference, "The set it belongs to.")),
});
export const TagReferences = Type.Array(IdReference, {
  maxItems: 20,
  description: "Its tags, by their ids.",
});
