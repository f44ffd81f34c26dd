/** Code that account operations share: each needs a session, and each change needs a genuine form. */
import type { Context } from "#kernel/operation";
import { isGenuineForm } from "../../people/index.ts";
import type { FieldName } from "../field-words.ts";
import {
  type Declared,
  Done,
  type FormOf,
  findSignedIn,
  formAnswers,
  formBody,
  formSettings,
  leadTo,
  operation,
  type PageAnswer,
  pageAnswers,
  type SignedIn,
  type Tables,
} from "./page-operation.ts";

const toSignIn = (context: Context<Tables>) => leadTo(context, "/sign-in");

/** `done`: the change that led here. */
export const accountPage = (
  declared: Declared<`/account${string}`>,
  render: (
    context: Context<Tables>,
    signedIn: SignedIn,
    done: string | undefined,
  ) => PageAnswer | Promise<PageAnswer>,
) =>
  operation({
    ...declared,
    method: "GET",
    permission: "anyone",
    query: Done,
    answers: pageAnswers,
    async handle({ query }, context) {
      const signedIn = await findSignedIn(context);
      return signedIn ? render(context, signedIn, query.done) : toSignIn(context);
    },
  });

type Change<Name extends FieldName> = (
  context: Context<Tables>,
  signedIn: SignedIn,
  form: FormOf<Name>,
) => PageAnswer | Promise<PageAnswer>;

/** `refuse` answers a form that is not genuine. */
export const accountChange = <Name extends FieldName>(
  { fields, ...declared }: Declared<`/account${string}`> & { readonly fields: readonly Name[] },
  refuse: Change<Name>,
  change: Change<Name>,
) =>
  operation({
    ...formSettings,
    ...declared,
    body: formBody(...fields),
    answers: formAnswers,
    async handle({ body }, context) {
      const signedIn = await findSignedIn(context);
      if (!signedIn) return toSignIn(context);
      const { form_token: token } = body as { readonly form_token?: string };
      const answer = isGenuineForm(context, token) ? change : refuse;
      return answer(context, signedIn, body);
    },
  });
