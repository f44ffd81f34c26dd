/** The drawings of these pages. */
import { drawing, type Markup } from "#kernel/html";

export const closeIcon = drawing('<path d="M6 6l12 12M18 6L6 18"/>');
export const keyIcon = drawing(
  '<circle cx="8" cy="15" r="4"/><path d="M11 12l8-8M16 7l3 3M14 9l2 2"/>',
  "mark",
);

const icons = {
  person: '<circle cx="12" cy="8" r="3.6"/><path d="M5 20c.8-3.6 3.6-5.4 7-5.4s6.2 1.8 7 5.4"/>',
  mail: '<rect x="3.5" y="5.5" width="17" height="13" rx="2.5"/><path d="M4.5 7.5l7.5 5.5 7.5-5.5"/>',
  phone: '<rect x="7.5" y="3.5" width="9" height="17" rx="2.2"/><path d="M11 17.5h2"/>',
  place:
    '<path d="M12 21s-6.5-5.7-6.5-10.7a6.5 6.5 0 0 1 13 0C18.5 15.3 12 21 12 21z"/><circle cx="12" cy="10.3" r="2.3"/>',
  bell: '<path d="M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 2h-15z"/><path d="M10.3 21h3.4"/>',
  badge:
    '<rect x="4" y="3.5" width="16" height="17" rx="2.5"/><circle cx="12" cy="10" r="2.3"/><path d="M8.5 16.5c.6-1.5 1.9-2.2 3.5-2.2s2.9.7 3.5 2.2"/>',
  key: '<circle cx="8" cy="15" r="4"/><path d="M11 12l8-8M16 7l3 3"/>',
} as const;
export type IconName = keyof typeof icons;
export const icon = (name: IconName): Markup => drawing(icons[name]);
