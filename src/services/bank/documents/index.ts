/**
 * Public interface of `documents`: statements, overviews and invoices on paper. Imports cards, payments,
 * requests, money and book.
 */
export { documentJobs } from "./jobs.ts";
export { makers } from "./makers.ts";
export { cardStatementOperations } from "./operations/card-statements.ts";
export { documentOperations } from "./operations/documents.ts";
export { invoiceOperations } from "./operations/invoices.ts";
export { entriesAfter } from "./store/statements.ts";
