/** The door of documents: what is made to be kept: statements, overviews, invoices on paper. Knows cards, payments, requests, money, book. */
export { documentJobs } from "./jobs.ts";
export { cardStatementOperations } from "./operations/card-statements.ts";
export { documentOperations } from "./operations/documents.ts";
export { invoiceOperations } from "./operations/invoices.ts";
export { entriesAfter } from "./store/statements.ts";
