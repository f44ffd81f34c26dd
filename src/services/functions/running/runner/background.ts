/** Events as functions of the first generation take them: `(data, context)`, with the event names of that generation. */

type Members = Record<string, unknown>;
export type BackgroundEvent = { readonly data: unknown; readonly context: Members };

const FIRESTORE = "providers/cloud.firestore/eventTypes/document";
const DATABASE = "providers/google.firebase.database/eventTypes/ref";
/** The newer names of kinds of events, and the older ones. */
const OLDER: Readonly<Record<string, string>> = {
  "google.cloud.pubsub.topic.v1.messagePublished": "google.pubsub.topic.publish",
  "google.cloud.storage.object.v1.finalized": "google.storage.object.finalize",
  "google.cloud.storage.object.v1.deleted": "google.storage.object.delete",
  "google.cloud.storage.object.v1.archived": "google.storage.object.archive",
  "google.cloud.storage.object.v1.metadataUpdated": "google.storage.object.metadataUpdate",
  "google.cloud.firestore.document.v1.written": `${FIRESTORE}.write`,
  "google.cloud.firestore.document.v1.created": `${FIRESTORE}.create`,
  "google.cloud.firestore.document.v1.updated": `${FIRESTORE}.update`,
  "google.cloud.firestore.document.v1.deleted": `${FIRESTORE}.delete`,
  "google.firebase.database.ref.v1.written": `${DATABASE}.write`,
  "google.firebase.database.ref.v1.created": `${DATABASE}.create`,
  "google.firebase.database.ref.v1.updated": `${DATABASE}.update`,
  "google.firebase.database.ref.v1.deleted": `${DATABASE}.delete`,
  "google.firebase.auth.user.v1.created": "providers/firebase.auth/eventTypes/user.create",
  "google.firebase.auth.user.v1.deleted": "providers/firebase.auth/eventTypes/user.delete",
  "google.firebase.analytics.log.v1.written": "providers/google.firebase.analytics/eventTypes/event.log",
};
const MESSAGE = "type.googleapis.com/google.pubsub.v1.PubsubMessage";
/** `//pubsub.googleapis.com/projects/demo/topics/orders`. */
const SOURCE = /^\/\/([^/]+)\/(.+)$/;

export function backgroundOf(event: Members): BackgroundEvent {
  const { id, time, type, source = "", subject, data } = event;
  const [, service, name] = SOURCE.exec(String(source)) ?? [];
  const place = subject === undefined ? name : `${name}/${String(subject)}`;
  const context = (resource: unknown): Members => ({
    eventId: id,
    timestamp: time,
    eventType: OLDER[String(type)] ?? type,
    resource,
  });
  if (name === undefined) return { data, context: context(source) };
  if (service === "pubsub.googleapis.com") {
    const message = (data as { message?: Members } | undefined)?.message;
    const resource = { service, name, type: MESSAGE };
    return { data: message ? { "@type": MESSAGE, ...message } : data, context: context(resource) };
  }
  if (service === "storage.googleapis.com")
    return { data, context: context({ service, name: place, type: "storage#object" }) };
  return { data, context: context(place) };
}
