/** How services use each other without imports: an interface in `src/ports`, connected by the app at start. */

declare const portType: unique symbol;
export type Port<T, Offer = T> = {
  readonly name: string;
  /** If several services may provide the port: combines what the mounted ones provide. */
  readonly join?: (offers: readonly Offer[]) => T;
  readonly [portType]?: T;
};
/** Provided by one service. */
export const definePort = <T>(name: string): Port<T> => ({ name });
/** Provided by any number of services. Callers get the result of `join`, made once for each instance. */
export const defineJoinedPort = <Offer, T>(
  name: string,
  join: (offers: readonly Offer[]) => T,
): Port<T, Offer> => ({ name, join });

// biome-ignore lint/suspicious/noExplicitAny: methods of ports differ in what they are given.
type Method = (...given: any[]) => Promise<unknown>;
type Methods<Offer> = Readonly<Record<keyof Offer, Method>>;
const methodsOf = <Offer>(names: readonly string[], call: (name: keyof Offer) => Method): Offer =>
  Object.fromEntries(names.map((name) => [name, call(name as keyof Offer)])) as Offer;

/** What is offered, as it is. */
export const allOffers = <Offer>(offers: readonly Offer[]): readonly Offer[] => offers;
/** One after another is asked, until one does not answer `nothing`, which is given by method. */
export const firstAnswer =
  <Offer extends Methods<Offer>>(
    nothing: {
      readonly [Name in keyof Offer]: Awaited<ReturnType<Offer[Name]>>;
    },
  ) =>
  (offers: readonly Offer[]): Offer =>
    methodsOf<Offer>(Object.keys(nothing), (name) => async (...given) => {
      for (const offer of offers) {
        const told = await offer[name](...given);
        if (told !== nothing[name]) return told;
      }
      return nothing[name];
    });
/** All are asked, in turn, and their answers added up. */
export const sumOfAnswers =
  <Offer extends Methods<Offer>>(...names: readonly (keyof Offer & string)[]) =>
  (offers: readonly Offer[]): Offer =>
    methodsOf<Offer>(names, (name) => async (...given) => {
      let sum = 0;
      for (const offer of offers) sum += Number(await offer[name](...given));
      return sum;
    });
