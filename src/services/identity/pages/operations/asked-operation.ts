/**
 * Code that operations on a pending request share: it must exist, and it must have started in this browser.
 */
import { Type } from "@sinclair/typebox";
import type { Context } from "#kernel/operation";
import { findInteraction, type Interaction } from "../../connect/index.ts";
import { renderErrorPage } from "../error-page.ts";
import type { FieldName } from "../field-words.ts";
import {
  type Declared,
  type FormOf,
  formAnswers,
  formBody,
  formSettings,
  operation,
  type PageAnswer,
  pageAnswers,
  show,
  type Tables,
} from "./page-operation.ts";

const Asked = Type.Object({
  id: Type.String({
    maxLength: 128,
    description: "The request that waits for the person.",
    examples: ["k3Jx0Qm2vT"],
  }),
});
/** Paths below the address of the request. */
type AskedPath = "" | `/${string}`;
const pathOf = ({ path }: Declared<AskedPath>): string => `/interaction/{id}${path}`;

const expired = () =>
  show(
    renderErrorPage({
      status: 404,
      code: "interaction_expired",
      description: "This sign-in is over, too old, or was begun in another browser.",
    }),
  );

export const askedPage = (
  declared: Declared<AskedPath>,
  render: (context: Context<Tables>, interaction: Interaction) => PageAnswer | Promise<PageAnswer>,
) =>
  operation({
    ...declared,
    path: pathOf(declared),
    method: "GET",
    permission: "anyone",
    params: Asked,
    answers: pageAnswers,
    async handle({ params }, context) {
      const interaction = await findInteraction(context, params.id);
      return interaction ? render(context, interaction) : expired();
    },
  });

/** Whether the form is genuine is for `take` to see. */
export const askedForm = <Name extends FieldName>(
  { fields, ...declared }: Declared<AskedPath> & { readonly fields: readonly Name[] },
  take: (
    context: Context<Tables>,
    interaction: Interaction,
    form: FormOf<Name>,
  ) => PageAnswer | Promise<PageAnswer>,
) =>
  operation({
    ...formSettings,
    ...declared,
    path: pathOf(declared),
    params: Asked,
    body: formBody(...fields),
    answers: formAnswers,
    async handle({ params, body }, context) {
      const interaction = await findInteraction(context, params.id);
      return interaction ? take(context, interaction, body) : expired();
    },
  });
