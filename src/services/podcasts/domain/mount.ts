/** Path of the service, for console links and commands. */
export const MOUNT = "/podcasts/api/v2";
