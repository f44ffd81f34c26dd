/** The page of the till. */
import { type Answer, anyone } from "#kernel/operation";
import { operation } from "../../book/index.ts";
import { Html, show } from "../../money/index.ts";
import { renderTillPage } from "../till/page.ts";

export const TILL_PATH = "/till";
const showTill = operation({
  id: "bank.Till",
  summary: "A page that uses cards as tills and shops do",
  description:
    "It needs no credential to open. To list cards and to pay, its script needs the token of an admin account, or a session of the console. What it charges appears in `bank.ListMastercardAction`.",
  method: "GET",
  path: TILL_PATH,
  permission: anyone,
  answers: { 200: Html },
  tags: ["pages"],
  handle: (): Answer<string> => show(renderTillPage()),
});
export const tillOperations = [showTill];
