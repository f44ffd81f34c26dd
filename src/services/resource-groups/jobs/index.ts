/** Jobs of this service. */
export { applyConfiguration, configurationKeyOf } from "./apply-configuration.ts";
export { applySettings, settingsKeyOf } from "./apply-settings.ts";
export { catalogueChanged } from "./catalogue-changed.ts";
export { compareMembers, startComparison } from "./compare-members.ts";
export { findPublishing, publishMembership, publishState } from "./publish.ts";
export { recordMembers } from "./record-members.ts";
