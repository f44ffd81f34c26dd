/** The image of a channel or an item. */
import { webAddress } from "./addresses.ts";
import { childOf, childrenOf, ownTextOf, textOfChild, type XmlNode } from "./xml-tree.ts";

export function imageOf(node: XmlNode, base: string): string {
  for (const name of ["itunes:image", "googleplay:image", "podcast:image"])
    for (const image of childrenOf(node, name)) {
      const address = webAddress(image.attributes.href ?? image.attributes.url ?? ownTextOf(image), base);
      if (address !== "") return address;
    }
  const others = [
    textOfChild(childOf(node, "image"), "url"),
    childOf(node, "media:thumbnail")?.attributes.url ?? "",
    textOfChild(node, "logo"),
    textOfChild(node, "icon"),
    childOf(node, "image")?.attributes["rdf:resource"] ?? "",
  ];
  return others.map((address) => webAddress(address, base)).find((address) => address !== "") ?? "";
}
