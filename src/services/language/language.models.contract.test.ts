/** Models of every kind but the machine-learned, over HTTP, on both databases. */
import { expect, it } from "vitest";
import { authoring, DONE, NOWHERE } from "../../../tests/support/language.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

onBothDatabases(
  "models of language",
  (instance) => {
    const { ok, refused, newApp } = authoring(instance);

    it("keeps lists, expressions, Pattern.Any and prebuilt entities", async () => {
      const { v } = await newApp();
      const list = await ok("POST", `${v}/closedlists`, {
        name: "City",
        subLists: [{ canonicalForm: "Lisbon", list: ["Lisboa", "LIS", "LIS"] }],
      });
      await refused("POST", `${v}/closedlists`, { name: "Bad", subLists: [{ list: ["x"] }] });
      const sub = await ok("POST", `${v}/closedlists/${list}/sublists`, {
        canonicalForm: "Porto",
        list: ["Oporto"],
      });
      await refused("POST", `${v}/closedlists/${list}/sublists`, { canonicalForm: "Porto", list: [] });
      await ok("PATCH", `${v}/closedlists/${list}`, { subLists: [{ canonicalForm: "Faro", list: [] }] });
      await ok("PUT", `${v}/closedlists/${list}/sublists/${sub}`, { list: ["OPO"] });
      await refused("PUT", `${v}/closedlists/${list}/sublists/${sub}`, { canonicalForm: "Faro" });
      expect((await ok("GET", `${v}/closedlists/${list}`)).subLists).toEqual([
        { id: expect.any(Number), canonicalForm: "Lisbon", list: ["Lisboa", "LIS"] },
        { id: sub, canonicalForm: "Porto", list: ["OPO"] },
        { id: expect.any(Number), canonicalForm: "Faro", list: [] },
      ]);
      await ok("DELETE", `${v}/closedlists/${list}/sublists/${sub}`);
      await refused("DELETE", `${v}/closedlists/${list}/sublists/${sub}`);
      await ok("PUT", `${v}/closedlists/${list}`, { name: "Town", subLists: [] });
      expect(await ok("GET", `${v}/closedlists`)).toMatchObject([{ name: "Town", typeId: 5, subLists: [] }]);

      const regex = await ok("POST", `${v}/regexentities`, {
        name: "Ticket",
        regexPattern: "[A-Z]{3}-[0-9]{4}",
      });
      for (const regexPattern of ["(", "(a)\\1", "x".repeat(501), ""])
        await refused("POST", `${v}/regexentities`, { name: "Other", regexPattern });
      await ok("PUT", `${v}/regexentities/${regex}`, { name: "Code", regexPattern: "[0-9]+" });
      expect(await ok("GET", `${v}/regexentities/${regex}`)).toMatchObject({
        name: "Code",
        regexPattern: "[0-9]+",
        typeId: 8,
      });

      const any = await ok("POST", `${v}/patternanyentities`, {
        name: "Title",
        explicitList: ["Far and away"],
      });
      const item = await ok("POST", `${v}/patternanyentities/${any}/explicitlist`, {
        explicitListItem: "To be",
      });
      await ok("PUT", `${v}/patternanyentities/${any}/explicitlist/${item}`, { explicitListItem: "Or not" });
      expect(await ok("GET", `${v}/patternanyentities/${any}/explicitlist/${item}`)).toEqual({
        id: item,
        explicitListItem: "Or not",
      });
      expect(await ok("GET", `${v}/patternanyentities/${any}/explicitlist`)).toHaveLength(2);
      await ok("DELETE", `${v}/patternanyentities/${any}/explicitlist/${item}`);
      await refused("GET", `${v}/patternanyentities/${any}/explicitlist/${item}`);
      await refused("POST", `${v}/patternanyentities/${any}/explicitlist`, {});
      await ok("PUT", `${v}/patternanyentities/${any}`, { name: "Name" });
      expect((await ok("GET", `${v}/patternanyentities`))[0]).toMatchObject({ name: "Name", typeId: 7 });

      const available = await ok("GET", `${v}/listprebuilts`);
      expect(available.map(({ name }: { name: string }) => name)).toContain("datetimeV2");
      const [number] = (await ok("POST", `${v}/prebuilts`, ["NUMBER"])) as { id: string }[];
      expect(number).toMatchObject({ name: "number", typeId: 2, readableType: "Prebuilt Entity Extractor" });
      await refused("POST", `${v}/prebuilts`, ["number"]);
      expect(await refused("POST", `${v}/prebuilts`, ["soul"])).toContain("soul");
      expect((await ok("GET", `${v}/models`)).map(({ name }: { name: string }) => name)).toEqual([
        "None",
        "Town",
        "Code",
        "Name",
        "number",
      ]);
      for (const [kind, id] of [
        ["closedlists", list],
        ["regexentities", regex],
        ["patternanyentities", any],
        ["prebuilts", number?.id],
      ])
        expect(await ok("DELETE", `${v}/${kind}/${id}`)).toEqual(DONE);
      await refused("DELETE", `${v}/closedlists/${regex}`);
    });

    it("gives entities of every kind roles, which patterns and labels follow", async () => {
      const { v } = await newApp();
      const ids: Record<string, string> = {
        entities: await ok("POST", `${v}/entities`, { name: "Learned" }),
        closedlists: await ok("POST", `${v}/closedlists`, { name: "List" }),
        regexentities: await ok("POST", `${v}/regexentities`, { name: "Regex", regexPattern: "[0-9]+" }),
        patternanyentities: await ok("POST", `${v}/patternanyentities`, { name: "Any" }),
        prebuilts: (await ok("POST", `${v}/prebuilts`, ["number"]))[0].id,
      };
      for (const [kind, id] of Object.entries(ids)) {
        const roles = `${v}/${kind}/${id}/roles`;
        const role = await ok("POST", roles, { name: "from" });
        await refused("POST", roles, { name: "From" });
        expect(await ok("GET", roles)).toEqual([{ id: role, name: "from" }]);
        await ok("PUT", `${roles}/${role}`, { name: "to" });
        expect(await ok("GET", `${roles}/${role}`)).toEqual({ id: role, name: "to" });
        await refused("GET", `${roles}/${NOWHERE}`);
      }
      const pattern = await ok("POST", `${v}/patternrule`, {
        pattern: "from {List:to} [to {Any}]",
        intent: "None",
      });
      expect(await refused("DELETE", `${v}/closedlists/${ids.closedlists}`)).toContain(
        "is used by the pattern",
      );
      const [role] = await ok("GET", `${v}/closedlists/${ids.closedlists}/roles`);
      await refused("DELETE", `${v}/closedlists/${ids.closedlists}/roles/${role.id}`);
      await ok("PUT", `${v}/closedlists/${ids.closedlists}/roles/${role.id}`, { name: "origin" });
      await ok("PUT", `${v}/closedlists/${ids.closedlists}`, { name: "Place" });
      expect((await ok("GET", `${v}/patternrules`))[0].pattern).toBe("from {Place:origin} [to {Any}]");
      await ok("DELETE", `${v}/patternrules/${pattern.id}`);
      await ok("DELETE", `${v}/closedlists/${ids.closedlists}/roles/${role.id}`);
      for (let at = 0; at < 10; at += 1)
        await ok("POST", `${v}/closedlists/${ids.closedlists}/roles`, { name: `r${at}` });
      expect(await refused("POST", `${v}/closedlists/${ids.closedlists}/roles`, { name: "r10" })).toContain(
        "10 roles",
      );
      await refused("GET", `${v}/customprebuiltentities/${ids.entities}/roles`);
    });

    it("adds, changes and deletes patterns, whole batches or nothing", async () => {
      const { v } = await newApp();
      const intent = await ok("POST", `${v}/intents`, { name: "Fly" });
      await ok("POST", `${v}/closedlists`, { name: "City" });
      const good = { pattern: "fly [me] (to | towards) {City}", intent: "fly" };
      const added = await ok("POST", `${v}/patternrules`, [good, { ...good, pattern: "go to {City}" }]);
      expect(added[0]).toEqual({ id: expect.any(String), pattern: good.pattern, intent: "Fly" });
      for (const bad of [
        { pattern: "fly [me", intent: "Fly" },
        { pattern: "fly {Town}", intent: "Fly" },
        { pattern: "fly {City:to}", intent: "Fly" },
        { pattern: "fly {City}", intent: "Sail" },
        { pattern: "", intent: "Fly" },
        { pattern: "x".repeat(401), intent: "Fly" },
      ])
        await refused("POST", `${v}/patternrules`, [good, bad]);
      expect(await ok("GET", `${v}/patternrules`)).toHaveLength(2);
      expect(await ok("GET", `${v}/intents/${intent}/patternrules?take=1`)).toHaveLength(1);
      const changed = await ok("PUT", `${v}/patternrules/${added[0].id}`, { ...good, intent: "None" });
      expect(changed).toMatchObject({ intent: "None" });
      expect(
        (await ok("PUT", `${v}/patternrules`, [{ ...added[1], pattern: "off to {City}" }]))[0].pattern,
      ).toBe("off to {City}");
      await refused("PUT", `${v}/patternrules`, [{ ...good, id: NOWHERE }]);
      await refused("DELETE", `${v}/patternrules`, [added[0].id, NOWHERE]);
      await ok("DELETE", `${v}/patternrules`, [added[0].id, added[1].id]);
      expect(await ok("GET", `${v}/patternrules`)).toEqual([]);
    });

    it("keeps phrase lists and says which models they help", async () => {
      const { v } = await newApp();
      const id = await ok("POST", `${v}/phraselists`, { name: "Seasons", phrases: "spring, summer,,spring" });
      expect(await ok("GET", `${v}/phraselists/${id}`)).toEqual({
        id,
        name: "Seasons",
        phrases: "spring,summer",
        isExchangeable: true,
        isActive: true,
        enabledForAllModels: true,
      });
      await refused("POST", `${v}/phraselists`, { name: "seasons", phrases: "x" });
      await refused("POST", `${v}/phraselists`, { name: "Empty", phrases: " , " });
      const intent = await ok("POST", `${v}/intents`, { name: "Ask" });
      const entity = await ok("POST", `${v}/entities`, { name: "When", children: [{ name: "Part" }] });
      const { children } = await ok("GET", `${v}/entities/${entity}`);
      for (const owner of [`intents/${intent}`, `entities/${entity}`, `entities/${children[0].id}`]) {
        const path = `${v}/${owner}/features`;
        expect(await ok("POST", path, { featureName: "seasons" })).toEqual(DONE);
        await refused("POST", path, { featureName: "Seasons" });
        await refused("POST", path, { featureName: "Nothing" });
        await refused("POST", path, {});
        await refused("POST", path, { modelName: "Nothing" });
        await refused("POST", path, { featureName: "Seasons", modelName: "When" });
      }
      await ok("POST", `${v}/intents/${intent}/features`, { modelName: "when", isRequired: true });
      await ok("PUT", `${v}/phraselists/${id}`, { name: "Times", phrases: "spring,winter", isActive: false });
      await ok("PATCH", `${v}/entities/${entity}`, { name: "Moment" });
      expect(await ok("GET", `${v}/intents/${intent}/features`)).toEqual([
        { featureName: "Times", isRequired: false },
        { modelName: "Moment", isRequired: true },
      ]);
      expect(await ok("PUT", `${v}/intents/${intent}/features`, [{ modelName: "Moment" }])).toEqual(DONE);
      await ok("DELETE", `${v}/intents/${intent}/features`, { modelName: "Moment" });
      await refused("DELETE", `${v}/intents/${intent}/features`, { modelName: "Moment" });
      await ok("DELETE", `${v}/entities/${children[0].id}/features`, { featureName: "Times" });
      expect(await ok("GET", `${v}/features`)).toMatchObject({
        phraselistFeatures: [{ name: "Times", isActive: false }],
        patternFeatures: [],
      });
      await ok("PUT", `${v}/phraselists/${id}`, { isActive: true });
      expect((await ok("GET", `${v}/phraselists`))[0].isActive).toBe(true);
      await ok("DELETE", `${v}/phraselists/${id}`);
      expect(await ok("GET", `${v}/entities/${entity}/features`)).toEqual([]);
      await refused("GET", `${v}/phraselists/${id}`);
    });

    it("understands members in the contract's spelling", async () => {
      const { v } = await newApp();
      const id = await ok("POST", `${v}/phraselists`, {
        Name: "Seasons",
        Phrases: "spring,summer",
        IsExchangeable: false,
      });
      expect(await ok("GET", `${v}/phraselists/${id}`)).toMatchObject({
        name: "Seasons",
        phrases: "spring,summer",
        isExchangeable: false,
      });
      await ok("PUT", `${v}/phraselists/${id}`, {
        Name: "Times",
        Pattern: "autumn,winter",
        Mode: true,
        IsActive: false,
      });
      expect(await ok("GET", `${v}/phraselists/${id}`)).toMatchObject({
        name: "Times",
        phrases: "autumn,winter",
        isExchangeable: true,
        isActive: false,
      });
      const entity = await ok("POST", `${v}/entities`, { Name: "Trip", Children: [{ Name: "From" }] });
      expect((await ok("GET", `${v}/entities/${entity}`)).children).toMatchObject([{ name: "From" }]);
    });

    it("takes models of prebuilt domains, and gives them back", async () => {
      const [first] = await ok("GET", "/apps/customprebuiltdomains");
      expect(first).toMatchObject({ culture: "en-us", intents: [{ name: expect.any(String) }, {}, {}] });
      expect(await ok("GET", "/apps/customprebuiltdomains/de-de")).toEqual([]);
      await refused("GET", "/apps/customprebuiltdomains/xx");
      const whole = await ok("POST", "/apps/customprebuiltdomains", {
        domainName: "Weather",
        culture: "en-us",
      });
      expect(await ok("GET", `/apps/${whole}/versions/0.1/examples`)).toHaveLength(16);
      const { v } = await newApp();
      const entity = await ok("POST", `${v}/customprebuiltentities`, {
        domainName: "weather",
        modelName: "Weather.Location",
      });
      await ok("POST", `${v}/customprebuiltintents`, {
        domainName: "Weather",
        modelName: "Weather.QueryWeather",
      });
      await refused("POST", `${v}/customprebuiltintents`, { domainName: "Weather", modelName: "Nothing" });
      expect(await ok("GET", `${v}/customprebuiltmodels`)).toHaveLength(2);
      expect(await ok("GET", `${v}/customprebuiltintents`)).toMatchObject([
        { customPrebuiltDomainName: "Weather", customPrebuiltModelName: "Weather.QueryWeather" },
      ]);
      expect(await ok("GET", `${v}/customprebuiltentities`)).toHaveLength(1);
      await ok("POST", `${v}/customprebuiltentities/${entity}/roles`, { name: "here" });
      await ok("DELETE", `${v}/customprebuiltdomains/Weather`);
      await refused("DELETE", `${v}/customprebuiltdomains/Weather`);
      expect(await ok("POST", `${v}/customprebuiltdomains`, { domainName: "HomeAutomation" })).toHaveLength(
        4,
      );
      await refused("POST", `${v}/customprebuiltdomains`, { domainName: "Nothing" });
    });
  },
  { services: ["language"] },
);
