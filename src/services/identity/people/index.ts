/** People: what the service declares of them. */
export { endUsersPort } from "./end-users.ts";
export { peopleJobs } from "./jobs.ts";
export { peopleMigrations, peopleTables } from "./migrations.ts";
