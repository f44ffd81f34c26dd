/** Forms and responses. */
import { type Static, Type } from "@sinclair/typebox";
import { isoOf } from "#kernel/clock";
import { described } from "#kernel/shape";
import { FIELD_TYPES } from "../domain/forms.ts";
import type { FormResponseRow, FormRow } from "../tables/index.ts";
import { Tag, TagReferences } from "./tags.ts";
import { given, Id, Instant } from "./texts.ts";

const FormField = Type.Object({
  name: Type.String({
    minLength: 1,
    maxLength: 64,
    description: "How responses name it.",
    examples: ["phone"],
  }),
  label: given(
    Type.String({ maxLength: 200, description: "What people read beside it.", examples: ["Your number"] }),
  ),
  description: given(
    Type.String({ maxLength: 1000, description: "More about it.", examples: ["Only we see it."] }),
  ),
  type: Type.Union(
    FIELD_TYPES.map((type) => Type.Literal(type)),
    { description: "What may be filled in.", examples: ["telephone"] },
  ),
  options: given(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      maxItems: 200,
      description: "What can be chosen.",
      examples: [["Morning", "Evening"]],
    }),
  ),
  required: given(Type.Boolean({ description: "Whether it must be filled in.", examples: [true] })),
  public: given(
    Type.Boolean({ description: "Whether everybody may read what was filled in.", examples: [false] }),
  ),
});
const properties = {
  name: Type.String({
    minLength: 1,
    maxLength: 200,
    description: "What the form is called.",
    examples: ["Contact"],
  }),
  heading: given(
    Type.String({ maxLength: 300, description: "What stands above it.", examples: ["How we reach you"] }),
  ),
  callToAction: given(
    Type.String({ maxLength: 300, description: "What its button says.", examples: ["Send"] }),
  ),
  cssUrl: given(
    Type.String({
      maxLength: 2000,
      pattern: "^https?://",
      description: "Address of a style sheet for it.",
      examples: ["https://example.org/form.css"],
    }),
  ),
  noCss: given(Type.Boolean({ description: "Whether it comes without any style.", examples: [false] })),
  fields: Type.Array(FormField, { maxItems: 100, description: "Its fields, in their order." }),
};
export const FormSubmission = Type.Object({ ...properties, tags: given(TagReferences) });
export const Form = Type.Object({
  id: Id,
  ...properties,
  ownedBy: described(Id, "Whose form it is.", "usr_1m7fqc7680000eyv1bw2px5"),
  tags: Type.Array(Tag, { description: "Its tags." }),
});
export const formViewOf = (row: FormRow, tags: Static<typeof Form>["tags"]): Static<typeof Form> => ({
  id: row.id,
  name: row.name,
  ...(row.heading !== "" && { heading: row.heading }),
  ...(row.call_to_action !== "" && { callToAction: row.call_to_action }),
  ...(row.css_url !== null && { cssUrl: row.css_url }),
  noCss: Number(row.no_css) === 1,
  fields: JSON.parse(row.fields),
  ownedBy: row.owner_id,
  tags,
});

export const Responses = Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 10_000 }), {
  maxProperties: 100,
  description: "What was filled in, by the fields' names.",
  examples: [{ phone: "+44 20 7946 0000" }],
});
export const PublicAnswer = Type.Object({
  name: FormField.properties.name,
  label: Type.String({ description: "What people read beside it.", examples: ["Which street?"] }),
  type: FormField.properties.type,
  value: Type.String({ description: "What was filled in.", examples: ["Quai Saint-Antoine"] }),
});
const FormId = described(Id, "The form.", "frm_1m7fqc7680000eyv1bw2px5");
const ContributionId = described(Id, "The contribution it belongs to.", "1m7fqc7680000eyv1bw2px5");
export const FormResponseSubmission = Type.Object({
  form: FormId,
  contribution: given(ContributionId),
  responses: Responses,
});
export const FormResponse = Type.Object({
  id: Id,
  form: FormId,
  contribution: given(ContributionId),
  user: given(described(Id, "Who filled it in.", "usr_1m7fqc7680000eyv1bw2px5")),
  date: Instant,
  responses: Responses,
});
export const responseViewOf = (row: FormResponseRow): Static<typeof FormResponse> => ({
  id: row.id,
  form: row.form_id,
  ...(row.contribution_id !== null && { contribution: row.contribution_id }),
  ...(row.user_id !== null && { user: row.user_id }),
  date: isoOf(Number(row.created_at)),
  responses: JSON.parse(row.responses),
});
