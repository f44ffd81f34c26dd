/** Descriptions of members that many shapes share. */
import type { SharedWords } from "#kernel/operation";

export const sharedWords: SharedWords = {
  id: { description: "Its id.", example: "1m7fqc7680000eyv1bw2px5" },
  page: { description: "Which page, from 1.", example: 1 },
  pageSize: { description: "How many a page has.", example: 20 },
  registered: { description: "Since when they are known.", example: "2030-05-01T08:00:00Z" },
  client: { description: "The client that shows it." },
  user: { description: "Whom it speaks for." },
  date: { description: "When.", example: "2030-05-01T08:00:00Z" },
};
