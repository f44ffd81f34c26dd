/** Position of an error in a policy document. */
export type Place = { readonly line: number; readonly column: number };

export class PolicyError extends Error {
  readonly place: Place;
  constructor(message: string, place: Place) {
    super(message);
    this.place = place;
  }
}
/** Maps an offset to line and column. Line starts are computed once. */
export function placesOf(text: string): (index: number) => Place {
  const starts = [0];
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", end + 1)) starts.push(end + 1);
  return (index) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= index) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: index - (starts[low] ?? 0) + 1 };
  };
}
