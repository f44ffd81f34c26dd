/** The declaration language of resource providers. This file shows everything that a provider can declare. */
import type { StringOptions, TObject, TSchema } from "@sinclair/typebox";
import type { Answer } from "../operation/answers.ts";
import type { Context } from "../operation/context.ts";
import type { ErrorKind, ServiceError } from "../operation/errors.ts";
import type { Method, Operation } from "../operation/operation.ts";
import type { Service } from "../operation/service.ts";

export type Properties = Readonly<Record<string, unknown>>;
export type Tags = Readonly<Record<string, string>>;

/** A stored resource. */
export type ManagedResource<P = Properties> = {
  /** The identifier in lower case, for all lookups. */
  readonly key: string;
  /** The identifier in its original spelling. */
  readonly id: string;
  readonly name: string;
  /** Such as `Vendor.Sql/servers/databases`. */
  readonly type: string;
  readonly subscriptionId: string;
  readonly resourceGroup: string;
  /** Key of the resource group or of the parent resource. */
  readonly parentKey: string;
  /** The key of another resource that this one belongs to; lists by it are cheap. */
  readonly link: string | undefined;
  readonly location: string | undefined;
  readonly tags: Tags;
  /** Further top-level members: `sku`, `identity`, `zones`, `kind`, … */
  readonly envelope: Readonly<Record<string, unknown>>;
  readonly properties: P;
  /** Stored, never shown. Secret properties are here, encrypted, under their paths. */
  readonly secrets: Readonly<Record<string, unknown>>;
  /** The provisioning state. */
  readonly state: string;
  /** The running long-running operation. */
  readonly operation: string | undefined;
  readonly etag: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
};

/** The result of a PUT or PATCH. */
export type Desired<P = Properties> = {
  readonly location?: string | undefined;
  readonly tags?: Tags;
  readonly envelope?: Readonly<Record<string, unknown>>;
  readonly properties: P;
  readonly secrets?: Readonly<Record<string, unknown>>;
  readonly link?: string | undefined;
};
/** Later changes of a resource; absent members stay. */
export type Change<P = Properties> = Partial<Desired<P>> & { readonly state?: string };

/** The place of a request. */
export type Place = {
  readonly subscriptionId: string;
  readonly resourceGroup: string;
  /** Names of the ancestors and, last, of the resource itself (absent in a list). */
  readonly names: readonly string[];
  readonly id: string;
  readonly key: string;
  readonly parentKey: string;
};

export type Preparation<P = Properties> = {
  readonly mode: "put" | "patch";
  readonly existing: ManagedResource<P> | undefined;
  readonly parent: ManagedResource | undefined;
  readonly place: Place;
  /** The body, checked against its schema. */
  readonly body: Properties;
};

/** Work that takes provisioning time: its states, and what happens between them. */
export type Work<P = Properties> = {
  /** Each takes an equal part of the time. */
  readonly states: readonly string[];
  /** Called when a state ends. Returns a change, or throws a ServiceError (before any change) to fail the work. */
  leave?(resource: ManagedResource<P>, state: string, context: Context): Awaitable<Change<P> | undefined>;
  /** Called at the end. */
  finish?(resource: ManagedResource<P>, context: Context): Awaitable<Change<P> | undefined>;
  /** The state afterwards; default: the type's `settledState`. */
  readonly done?: string;
  /** The duration on the kernel clock; default `config.provisioningSeconds`. Zero does it within the request. */
  seconds?(resource: ManagedResource<P>, context: Context): number;
};
export type Awaitable<T> = T | Promise<T>;

/** POST on a resource (or another method on a path below it). */
export type Action<P = Properties> = {
  /** The last words of the path, such as `pause`; with parameters, as in `apis/{apiId}`, they need `pathWords`. */
  readonly name: string;
  readonly pathWords?: Readonly<Record<string, StringOptions>>;
  /** In the operation id; the name in kebab-case when absent. */
  readonly idWords?: string;
  readonly summary: string;
  readonly description?: string;
  readonly method?: Method;
  /** After the type's name: `pause/action` when absent. */
  readonly permission?: string;
  readonly query?: TObject;
  readonly body?: TSchema;
  readonly bodyOptional?: boolean;
  readonly answers: Readonly<Record<number, TSchema>>;
  readonly errors?: readonly ErrorKind[];
  /** False allows it during another operation. Default: true for every method but GET. */
  readonly exclusive?: boolean;
  /** The action's own error for a missing resource. */
  missing?(place: Place): Error;
  handle(input: ActionInput<P>, context: Context): Awaitable<Answer | unknown>;
};
export type ActionInput<P = Properties> = {
  readonly resource: ManagedResource<P>;
  readonly place: Place;
  /** Of the whole path: an action's name may hold parameters, as in `apis/{apiId}`. */
  readonly params: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: checked against the action's own schemas.
  readonly body: any;
  // biome-ignore lint/suspicious/noExplicitAny: checked against the action's own schemas.
  readonly query: any;
};

export type Lists = {
  readonly bySubscription?: boolean;
  /** Below the resource group, or below the parent for a child type. On by default. */
  readonly byParent?: boolean;
  /** `$top`: how many on a page. */
  readonly top?: { readonly min: number; readonly max: number };
  /** `$skip`: how many to leave out. */
  readonly skip?: boolean;
  readonly query?: TObject;
  /** Which ones to show, by the query; reads the query once. */
  // biome-ignore lint/suspicious/noExplicitAny: checked against the list's own query schema.
  select?(query: any, context: Context): Awaitable<((resource: ManagedResource) => boolean) | undefined>;
  readonly errors?: readonly ErrorKind[];
};

/** A list below a resource of others that are linked to it. */
export type LinkedList = {
  /** The path's last word, such as `databases` below an elastic pool. */
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  /** The listed type, or its full name. */
  of(): ResourceType | string;
  /** The provider's own error for an unknown resource above the list. */
  missing?(place: Place): ServiceError;
};

export type Statuses = {
  readonly put?: {
    readonly created?: number;
    readonly updated?: number;
    readonly acceptedCreate?: number;
    readonly acceptedUpdate?: number;
  };
  readonly patch?: {
    readonly done?: number;
    readonly accepted?: number;
    /** Versions from this one on answer 200 with the resource instead of `done`. */
    readonly bodySince?: string;
  };
  readonly delete?: {
    readonly done?: number;
    readonly accepted?: number;
    /** 404 reports the resource as not found. */
    readonly absent?: number;
  };
};

export type ResourceTypeSpec<P = Properties> = {
  /** The last word of the type, as paths spell it: `dedicatedHSMs`. */
  readonly name: string;
  /** For people: "dedicated HSM". */
  readonly title: string;
  /** The parent type; a resource group when absent. */
  readonly parent?: ResourceType;
  /** The path parameter's name in the contract. */
  readonly parameter: string;
  /** In operation ids: `dedicated-hsms`. */
  readonly idWords: string;
  readonly nameRule: {
    readonly pattern: RegExp;
    /** In words, for the error. */
    readonly says: string;
    /** For documentation. */
    readonly example?: string;
    /** The provider's own error, instead of `InvalidResourceName`. */
    problem?(name: string): ServiceError | undefined;
  };
  /** Last word of the type in the catalogue, such as `DedicatedHsm`; false keeps it out. */
  readonly catalogType: string | false;
  readonly wire: {
    readonly put?: TObject;
    readonly patch?: TObject;
    readonly answer: TObject;
    /** Of the whole list; `{value, nextLink}` of answers when absent. */
    readonly list?: TObject;
  };
  /** Which methods there are besides GET; PUT and PATCH need their schema, DELETE is there unless false. */
  readonly delete?: boolean;
  /** An explicit HEAD that answers the entity tag. */
  readonly head?: boolean;
  readonly lists?: Lists;
  /** What operations do beyond the declaration, from which the engine derives the rest of a description. */
  readonly descriptions?: Partial<Record<"get" | "head" | "put" | "patch" | "delete" | "list", string>>;
  readonly linkedLists?: readonly LinkedList[];
  readonly actions?: readonly Action<P>[];
  /** Entity tags: answered as `ETag`; the named methods require `If-Match`. */
  readonly etag?: { readonly neededBy: readonly ("PUT" | "PATCH" | "DELETE")[] };
  readonly statuses?: Statuses;
  /**
   * `create`, `update`, `delete`, and others that actions start; without one the change is done at once. In a state
   * of `delete` (which no other work may have), nothing can be created inside the resource.
   */
  readonly work?: Readonly<Record<string, Work<P>>>;
  /** The state without running work: `Succeeded`. */
  readonly settledState?: string;
  readonly failedState?: string;
  /** Allows a child to create this resource as its parent. Returns the wanted resource. */
  implied?(place: Place, context: Context): Desired<P>;
  /** Names of this type are unique across all accounts. */
  readonly nameIsGlobal?: boolean;
  /** Further query parameters of GET, given to `present` and `presentWhole`. */
  readonly getQuery?: TObject;
  /** Further query parameters of DELETE, given to `mayDelete`. */
  readonly deleteQuery?: TObject;
  /** The name under which a resource is stored that callers may name in several ways. */
  resolveName?(name: string, parentKey: string, context: Context): Awaitable<string>;
  /** Errors of the provider that PUT, PATCH, DELETE and the work may report. */
  readonly errors?: readonly ErrorKind[];
  /** The provider's own error for an unknown resource, instead of `ResourceNotFound`. */
  missing?(place: Place): ServiceError;
  /** And for an unknown parent, instead of `ParentResourceNotFound`. */
  missingParent?(place: Place): ServiceError;
  nameTaken?(place: Place): ServiceError;
  /** Slow work on the body of a PUT, before its transaction: there nothing but the database may be waited for. */
  received?(body: Properties, account: string): Promise<Properties>;
  /** Checks and completes the wanted resource: `wanted` holds the declared members (PUT) or their merge (PATCH). */
  prepare?(wanted: Desired<P>, about: Preparation<P>, context: Context): Awaitable<Desired<P>>;
  /** In the transaction of the PUT or PATCH, after the row was written. `body`: as it was given. */
  written?(
    resource: ManagedResource<P>,
    previous: ManagedResource<P> | undefined,
    context: Context,
    body: Properties,
  ): Awaitable<void>;
  /** After failed work: what to record in the resource. */
  failed?(
    resource: ManagedResource<P>,
    error: { readonly code: string; readonly message: string },
    context: Context,
  ): Awaitable<Change<P> | undefined>;
  /** Throws if the resource must not be deleted now. */
  mayDelete?(resource: ManagedResource<P>, context: Context, query: Properties): Awaitable<void>;
  /** In the transaction that removes it, also if its resource group is deleted. */
  removed?(resource: ManagedResource<P>, context: Context): Awaitable<void>;
  /** The `properties` shown; `provisioningState` is added when there is work, unless `showsState` is false. */
  present?(resource: ManagedResource<P>, context: Context, query: Properties): Awaitable<Properties>;
  readonly showsState?: boolean;
  /** Changes the whole body: for shapes without `properties`. */
  presentWhole?(
    body: Record<string, unknown>,
    resource: ManagedResource<P>,
    context: Context,
    query: Properties,
  ): Awaitable<unknown>;
};
/** A declared type without the type of its properties. */
export type ResourceType = ResourceTypeSpec & { readonly isResourceType: true };

export type OperationListed = {
  readonly name: string;
  readonly resource: string;
  readonly operation: string;
  readonly description: string;
};

export type ProviderSpec = Pick<
  Service,
  | "name"
  | "title"
  | "summary"
  | "contract"
  | "errorNames"
  | "jobs"
  | "migrations"
  | "tables"
  | "sealedColumns"
  | "provides"
  | "needs"
  | "console"
  | "findRelated"
  | "dialects"
  | "seed"
  | "start"
  | "forget"
  | "stop"
  | "gateway"
  | "pages"
> & {
  /** `Vendor.HardwareSecurityModules`. */
  readonly namespace: string;
  /** The contract's version first, then others whose shapes agree. */
  readonly apiVersions: readonly [string, ...string[]];
  readonly types: readonly ResourceType[];
  /** Operations that are not about one resource, such as a check of names. */
  readonly operations?: readonly Operation[];
  /** The provider's own errors for general cases. */
  readonly says?: {
    busy?(resource: ManagedResource): ServiceError;
    subscriptionNotFound?(subscriptionId: string): ServiceError;
  };
  /** Kinds of the errors in `says`. */
  readonly errors?: readonly ErrorKind[];
  /** An item of the operations list, if the provider has its own shape. */
  describeOperation?(listed: OperationListed): Record<string, unknown>;
};
