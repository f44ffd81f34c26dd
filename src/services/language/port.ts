/** The port by which the prediction service reaches trained models of the authoring service. */
import { type Context, definePort, type OwnContext } from "#kernel/operation";
import type { PublishSettings, Slot } from "./domain/application.ts";
import type { BatchTest, TestUtterance } from "./domain/batch-tests.ts";
import type { Query } from "./domain/queries.ts";
import { beginBatchTest } from "./jobs/batch-tests.ts";
import type { Prediction, Question } from "./learning/index.ts";
import type { LanguageContext } from "./state.ts";
import { findApplication, findOwnerOfPublic } from "./store/applications.ts";
import { findBatchTest } from "./store/batch-tests.ts";
import { findPublished } from "./store/published.ts";
import { findVersion } from "./store/versions.ts";

export type Asked = {
  readonly application: string;
  readonly culture: string;
  readonly versionName: string;
  readonly settings: PublishSettings;
  predict(text: string, question: Question): Promise<Prediction>;
  /** Writes the query down, or only counts it. */
  note(query: Pick<Query, "text" | "intent" | "score" | "answer">, isLogged: boolean): void;
};
export type Which = { readonly slot: Slot } | { readonly version: string };

export type LanguageModels = {
  /**
   * Returns undefined if the application does not exist, is private to another account, or has no model to
   * ask.
   */
  find(context: Context, application: string, which: Which): Promise<Asked | undefined>;
  /** Undefined as with `find`; only for the account's own applications. */
  beginTest(
    context: Context,
    application: string,
    which: Which,
    utterances: readonly TestUtterance[],
  ): Promise<BatchTest | undefined>;
  findTest(context: Context, application: string, id: string): Promise<BatchTest | undefined>;
};
export const languageModels = definePort<LanguageModels>("language-models");

export const provideModels = (own: OwnContext): LanguageModels => ({
  async beginTest(asking, application, which, utterances) {
    const context: LanguageContext = own(asking);
    const trained = await findTrained(context, context.account, application, which);
    return trained && beginBatchTest(context, { application, blob: trained.blob, utterances });
  },
  findTest(asking, application, id) {
    const { db, account }: LanguageContext = own(asking);
    return findBatchTest(db, account, application, id);
  },
  async find(asking, id, which) {
    const context: LanguageContext = own(asking);
    const { db, state } = context;
    const isOwn = await findApplication(db, context.account, id);
    const account = isOwn ? context.account : await findOwnerOfPublic(db, id);
    const application = isOwn ?? (account && (await findApplication(db, account, id)));
    if (account === undefined || !application) return undefined;
    const found = await findTrained(context, account, id, which);
    if (!found) return undefined;
    const model = await state.models.get(account, found.blob);
    if (!model) return undefined;
    return {
      application: id,
      culture: application.culture,
      versionName: found.versionName,
      settings: found.settings ?? application.publishSettings,
      predict: (text, question) => state.trainer.predict(model, text, question),
      note: (query, isLogged) =>
        state.queries.note(
          account,
          {
            ...query,
            application: id,
            versionUid: found.versionUid,
            slot: "slot" in which ? which.slot : "",
            askedAtMs: context.clock.nowMs(),
          },
          isLogged,
        ),
    };
  },
});

async function findTrained({ db }: LanguageContext, account: string, application: string, which: Which) {
  if ("slot" in which) return findPublished(db, account, application, which.slot);
  const version = await findVersion(db, account, application, which.version);
  if (version?.trainedBlob === undefined) return undefined;
  return {
    blob: version.trainedBlob,
    versionName: version.name,
    versionUid: version.uid,
    settings: undefined,
  };
}
