/** A browser for the pages of a service: keeps cookies and fills in forms. Every answer is given to `record`. */

const attribute = (tag, name) =>
  new RegExp(`\\b${name}="([^"]*)"`)
    .exec(tag)?.[1]
    ?.replaceAll("&#x2F;", "/")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
/** The forms of a page with the values of their fields. */
function formsOf(html) {
  return [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].map(([, head, inside]) => {
    const fields = {};
    for (const [tag] of inside.matchAll(/<(?:input|button)\b[^>]*>/g)) {
      const name = attribute(tag, "name");
      const isUnticked = /type="checkbox"/.test(tag) && !/\bchecked\b/.test(tag);
      if (name !== undefined && !isUnticked) fields[name] ??= attribute(tag, "value") ?? "";
    }
    return { action: attribute(head, "action") ?? "", fields };
  });
}

export class Browser {
  #cookies = new Map();
  constructor(url, record) {
    this.url = url;
    this.record = record;
  }
  async open(path, form) {
    const address = new URL(path, this.url);
    const method = form ? "POST" : "GET";
    const response = await fetch(address, {
      method,
      redirect: "manual",
      headers: {
        accept: "text/html,*/*;q=0.8",
        cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; "),
      },
      ...(form && { body: new URLSearchParams(form) }),
    });
    for (const text of response.headers.getSetCookie()) this.#keep(text);
    const text = await response.text();
    if (response.status >= 400)
      throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 1000)}`);
    const location = response.headers.get("location") ?? undefined;
    const type = response.headers.get("content-type") ?? "";
    const at = `${address.pathname}${address.search}`;
    this.record({ method, path: at, body: form }, { status: response.status, type, text, location });
    return { address, text, location: location && new URL(location, address) };
  }
  #keep(text) {
    const [pair, ...flags] = text.split("; ");
    const [name, ...value] = pair.split("=");
    if (flags.some((flag) => /^max-age=0$/i.test(flag))) this.#cookies.delete(name);
    else this.#cookies.set(name, value.join("="));
  }
  /** To the first page that is shown, or to another site. */
  async follow(page) {
    let at = page;
    while (at.location?.origin === new URL(this.url).origin) at = await this.open(at.location.href);
    return at;
  }
  /** Sends the form whose action ends so. */
  submit(page, action, fields = {}) {
    const form = formsOf(page.text).find((one) =>
      new URL(one.action, page.address).pathname.endsWith(action),
    );
    if (!form) throw new Error(`${page.address}: no form for ${action}\n${page.text.slice(0, 3000)}`);
    return this.open(new URL(form.action, page.address).href, { ...form.fields, ...fields });
  }
}
