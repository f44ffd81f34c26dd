/** Where the service is, for links in the console and for commands. */
export const MOUNT = "/podcasts/api/v2";
