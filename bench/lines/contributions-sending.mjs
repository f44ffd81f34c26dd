/** Contributions: sending one without media, to a raw POST of the same body. */
import { inTurns, token } from "../load.mjs";

const json = { authorization: `Bearer ${token}`, "content-type": "application/json" };

export async function contributionSendingLines({ raw, product }) {
  const base = `${product.url}/contributions/1`;
  const made = await fetch(`${base}/assignments`, {
    method: "POST",
    headers: json,
    body: JSON.stringify({ name: "Street life", moderation: "after" }),
  });
  const { id } = await made.json();
  const body = JSON.stringify({ assignment: { id }, headline: "The water is still rising in the old town" });
  const post = { method: "POST", headers: json, body };
  const { rawPost, sent } = await inTurns({
    rawPost: [`${raw.url}/`, post],
    sent: [`${base}/contributions`, post],
  });
  return [
    {
      line: "contributions: sending one without media, to a raw POST",
      value: `${Math.round(sent)}/s, ${Math.round(rawPost)}/s raw`,
      ratio: sent / rawPost,
      target: 0.4,
    },
  ];
}
