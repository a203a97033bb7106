import { readdirSync, readFileSync } from "node:fs";
import { buildSchema, isEnumType, isInputObjectType, isInterfaceType, isObjectType, isSpecifiedScalarType } from "graphql";
import { describe, expect, it } from "vitest";
import { documentOf } from "../../apps/docs/src/layout.js";
import { addressOf, escapeHtml } from "../../apps/docs/src/page.js";
import { pagesOf, searchIndexOf } from "../../apps/docs/src/site.js";

const pages = pagesOf(".");
const byAddress = new Map(pages.map((page) => [addressOf(page.path), page]));
const schema = buildSchema(readFileSync("schema.graphql", "utf8"));
const types = Object.values(schema.getTypeMap()).filter((type) => !type.name.startsWith("__") && !isSpecifiedScalarType(type));

describe("the site", () => {
  it("has every page under docs", () => {
    const files = readdirSync("docs").filter((name) => name.endsWith(".md"));
    const missing = files.filter((name) => !byAddress.has(`/docs/${name.replace(".md", "")}`));
    expect(missing).toEqual([]);
  });

  it("has every address once", () => {
    expect(byAddress.size).toBe(pages.length);
  });

  it("has no broken links", () => {
    const images = new Set(readdirSync("docs/images").map((name) => `/docs/images/${name}`));
    const broken = pages.flatMap((page) =>
      [...page.html.matchAll(/(?:href|src)="([^"]*)"/g)]
        .map(([, link = ""]) => link)
        .filter((link) => !/^(?:https?:|mailto:)/.test(link))
        .filter((link) => {
          const [address = "", anchor] = link.split("#");
          const target = address === "" ? page : byAddress.get(address);
          if (target === undefined) return !images.has(address);
          return anchor !== undefined && !target.html.includes(`id="${anchor}"`);
        })
        .map((link) => `${page.path}: ${link}`),
    );
    expect(broken).toEqual([]);
  });

  it("loads nothing from other servers", () => {
    const foreign = pages
      .map((page) =>
        documentOf(page, pages, { style: "/docs/assets/s.css", script: "/docs/assets/m.js", icon: "/docs/assets/i.svg" }),
      )
      .flatMap((html) => [...html.matchAll(/(?:src|<link[^>]*href)="(https?:[^"]*)"/g)]);
    expect(foreign).toEqual([]);
  });

  it("has no style in its pages, which their policy forbids", () => {
    expect(pages.filter(({ html }) => / style="/.test(html)).map(({ path }) => path)).toEqual([]);
    expect(byAddress.get("/docs/")?.html ?? byAddress.get("/docs")?.html).toContain('<td class="figure">');
  });

  it("shows HTML in a page as text", () => {
    expect(byAddress.get("/docs/architecture")?.html).not.toMatch(/<script|<!--/);
  });
});

describe("the schema's reference", () => {
  it("has a page for each type, with all that it has and what each means", () => {
    expect(types.length).toBeGreaterThan(200);
    for (const type of types) {
      const html = byAddress.get(`/docs/schema/${type.name}`)?.html ?? "";
      const members = isEnumType(type)
        ? type.getValues()
        : isObjectType(type) || isInterfaceType(type) || isInputObjectType(type)
          ? Object.values(type.getFields())
          : [];
      for (const { name, description } of members) {
        expect(html, type.name).toContain(`id="${name}"`);
        const words = escapeHtml((description ?? "").split("`")[0]?.split("\n\n")[0]?.trim() ?? "");
        expect(html, `${type.name}.${name}`).toContain(words);
      }
    }
  });

  it("has arguments with their defaults, and says where a type is used", () => {
    expect(byAddress.get("/docs/schema/Query")?.html).toMatch(/<h3>Arguments<\/h3>/);
    expect(byAddress.get("/docs/schema/Ticker")?.html).toContain("Used by</h2><p>");
    expect(byAddress.get("/docs/schema/Ticker")?.html).toContain('href="/docs/schema/Query"');
  });
});

describe("the references of errors and metrics", () => {
  it("are those of the pages", () => {
    expect(byAddress.get("/docs/errors")?.html).toContain("<code>RATE_LIMITED</code>");
    expect(byAddress.get("/docs/metrics")?.html).toContain("<code>exchange_graph_budget_used_ratio</code>");
  });
});

describe("the search", () => {
  const index = searchIndexOf(pages);
  const first = (asked: string): unknown[] =>
    index
      .search(asked)
      .slice(0, 5)
      .map(({ id }) => id);

  it.each([
    ["idempotency", "/docs/schema/MutationResult#idempotencyKey|/docs/writes#"],
    ["RATE_LIMITED", "/docs/graph#errors|/docs/errors"],
    ["orderBook", "/docs/schema/Query#orderBook|/docs/schema/OrderBook"],
    ["METRICS_PORT", "/docs/reference#|/docs/changelog"],
    ["compose", "/docs/deploying#"],
  ])("finds %s", (asked, wanted) => {
    expect(first(asked)).toEqual(expect.arrayContaining([expect.stringMatching(new RegExp(wanted))]));
  });

  it("finds words that are not finished, or not spelt right", () => {
    expect(first("liquidat")).not.toEqual([]);
    expect(first("idempotancy")).not.toEqual([]);
  });
});
