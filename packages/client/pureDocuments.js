import { preset as client } from "@graphql-codegen/client-preset";

/** The preset `client` with documents that a bundler leaves out where they are not used. It takes no option for that itself. */
export const preset = {
  ...client,
  async buildGeneratesSection(options) {
    const sections = await client.buildGeneratesSection(options);
    return sections.map((section) => ({ ...section, config: { ...section.config, pureMagicComment: true } }));
  },
};
