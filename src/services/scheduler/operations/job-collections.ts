/** Operations for job collections: plans, quotas, and enabling or disabling all jobs. */
import { answer, type Context, noBody } from "#kernel/operation";
import {
  findById,
  locationKeyOf,
  type ManagedResource,
  managementErrors,
  type Preparation,
  resourceType,
  startedAnswer,
  startWork,
} from "#kernel/resource-provider";
import {
  type CollectionDefinition,
  type CollectionState,
  collectionOf,
  effectiveQuota,
  type JobDefinition,
  mayBeAsked,
  obstaclesToPlan,
  quotaJobOf,
} from "../domain/index.ts";
import { errors } from "../errors.ts";
import { type CollectionResource, type JobResource, restJob, resumeJob } from "../jobs/index.ts";
import * as store from "../store.ts";
import {
  collectionAnswer,
  collectionPatch,
  collectionProperties,
  collectionPut,
  STATE_SAYS,
} from "../wire/index.ts";
import { quotaRefusalOf } from "./problems.ts";
import { wholeReader } from "./whole.ts";

const readWhole = wholeReader(collectionProperties);

async function* jobsOf(context: Context, collectionKey: string): AsyncGenerator<JobResource> {
  for (const key of await store.listJobKeys(context.db, context.account, collectionKey)) {
    const job = await findById<JobDefinition>(context, key);
    if (job) yield job;
  }
}

/** Disabling a collection pauses its jobs. Enabling it resumes them at their next occurrence. */
async function followCollection(context: Context, collection: CollectionResource): Promise<void> {
  const isEnabled = collection.properties.state === "Enabled";
  for await (const job of jobsOf(context, collection.key)) {
    if (isEnabled) await resumeJob(context, job, collection);
    else await restJob(context, job);
  }
}

const quotaTextOf = ({ sku, quota }: CollectionDefinition): string => JSON.stringify([sku, quota ?? {}]);

async function checkPlan(
  context: Context,
  wanted: CollectionDefinition,
  { existing, place }: Preparation<CollectionDefinition>,
): Promise<void> {
  if (existing && quotaTextOf(existing.properties) === quotaTextOf(wanted)) return;
  const { name: plan } = wanted.sku;
  const others = await store.countOtherCollections(
    context.db,
    context.account,
    place.key,
    place.subscriptionId.toLowerCase(),
    plan,
  );
  const jobs = [];
  if (existing)
    for await (const job of jobsOf(context, existing.key))
      jobs.push(quotaJobOf(job.properties, context.clock.nowMs()));
  const obstacles = obstaclesToPlan(plan, wanted.quota ?? {}, jobs, others + 1);
  if (obstacles.length > 0) throw quotaRefusalOf(obstacles, errors.jobCollectionQuotaExceeded);
}

/** The kernel rejects a PUT with another location. A PATCH of a collection can contain a location too. */
function checkPlaceStays({ existing, body }: Preparation<CollectionDefinition>): void {
  const { location } = body as { readonly location?: string | null };
  if (!existing?.location || !location) return;
  if (locationKeyOf(existing.location) !== locationKeyOf(location))
    throw managementErrors.invalidLocation(
      `The job collection '${existing.name}' is in '${existing.location}' and cannot be moved to '${location.slice(0, 90)}'.`,
      { target: "location" },
    );
}

const switchTo = (state: CollectionState) => ({
  states: ["Updating"],
  async finish(collection: CollectionResource, context: Context) {
    const properties = { ...collection.properties, state };
    if (collection.properties.state !== state) await followCollection(context, { ...collection, properties });
    return { properties };
  },
});

const switchAction = (name: "enable" | "disable", summary: string, description: string) => ({
  name,
  summary,
  description,
  answers: { 200: noBody, 202: noBody },
  async handle({ resource }: { readonly resource: CollectionResource }, context: Context) {
    const started = await startWork(context, resource as ManagedResource, name);
    return started.operationId === undefined ? answer(200) : startedAnswer(context, started);
  },
});

export const jobCollections = resourceType<CollectionDefinition>({
  name: "jobCollections",
  title: "job collection",
  parameter: "jobCollectionName",
  idWords: "job-collections",
  nameRule: {
    pattern: /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/,
    says: "1 to 100 letters, digits, hyphens and underscores, beginning with a letter or digit",
    example: "nightly-work",
  },
  catalogType: "JobCollection",
  descriptions: {
    get: "`quota` has the limits in effect: those of the plan, or stricter ones of the collection.",
    put: "Takes effect immediately. The plan limits the jobs (Free 5, Standard and P10Premium 50, P20Premium 1000), their frequency (Free hourly, others every minute) and the collections of a subscription (Free 1, Standard 100, Premium 10000). A plan that the present jobs exceed is refused. Authentication needs a paid plan.",
    patch:
      "Takes effect immediately, for the present jobs too. Limits that the present jobs exceed are refused.",
    delete: "Runs that wait for a retry are canceled.",
  },
  wire: { put: collectionPut, patch: collectionPatch, answer: collectionAnswer },
  lists: { bySubscription: true },
  statuses: { delete: { done: 200, accepted: 202, absent: 404 } },
  showsState: false,
  errors: [errors.invalidJobCollection, errors.jobCollectionQuotaExceeded],
  work: {
    enable: switchTo("Enabled"),
    disable: switchTo("Disabled"),
    delete: { states: ["Deleting"] },
  },
  actions: [
    switchAction(
      "enable",
      "Enables a job collection.",
      "Recurring jobs run at their next time, without the runs that they missed; a job without recurrence that was missed runs now. Repeating the request changes nothing.",
    ),
    switchAction(
      "disable",
      "Disables a job collection.",
      "No job of the collection runs until it is enabled; jobs keep their own state. Repeating the request changes nothing.",
    ),
  ],
  async prepare(wanted, about, context) {
    checkPlaceStays(about);
    const given = readWhole(wanted.properties);
    if (!mayBeAsked(given.state, about.existing?.properties.state))
      throw errors.invalidJobCollection(`properties.state ${STATE_SAYS}.`, { target: "properties.state" });
    const collection = collectionOf(given);
    await checkPlan(context, collection, about);
    return { ...wanted, properties: collection };
  },
  async written(collection, previous, context) {
    await store.putCollection(context.db, {
      account: context.account,
      key: collection.key,
      subscription_key: collection.subscriptionId.toLowerCase(),
      plan: collection.properties.sku.name,
    });
    if (previous === undefined) return;
    const isSame =
      previous.properties.state === collection.properties.state &&
      quotaTextOf(previous.properties) === quotaTextOf(collection.properties);
    if (!isSame) await followCollection(context, collection);
  },
  async removed(collection, context) {
    await store.removeCollection(context.db, context.account, collection.key);
  },
  present({ properties, state }) {
    const { sku, quota } = properties;
    return {
      sku,
      state: state === "Deleting" ? "Deleted" : properties.state,
      quota: effectiveQuota(sku.name, quota),
    };
  },
});
