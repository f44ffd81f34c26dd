/** Shapes exactly as clients spell them, and rows in these shapes. */
export * from "./shapes.ts";
export * from "./views.ts";
