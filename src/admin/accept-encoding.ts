/** Whether the client accepts gzip. */
const REFUSED = /^q=0(?:\.0*)?$/;

export const takesGzip = (header: string | string[] | undefined): boolean =>
  String(header ?? "")
    .toLowerCase()
    .split(",")
    .map((part) => part.split(";").map((word) => word.trim()))
    .some(([name, ...parameters]) => name === "gzip" && !parameters.some((one) => REFUSED.test(one)));
