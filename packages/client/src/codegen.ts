/** How graphql-codegen types the documents of a front end. */
export interface FrontEndOptions {
  /**
   * `string`: the texts as they stand, for the client, alone or under urql. `documentNode`: syntax trees, for Apollo Client.
   * Default: `string`.
   */
  readonly documentMode?: "string" | "documentNode";
  /**
   * Writes `persisted-documents.json`, which the gateway takes as `TRUSTED_DOCUMENTS`, and puts the hash of each document into it
   * for the option `trustedDocuments`. Default: false.
   */
  readonly trustedDocuments?: boolean;
}

/** An output of graphql-codegen: its `client` preset with the scalars of this graph, which are all text. */
export const frontEnd = ({ documentMode = "string", trustedDocuments = false }: FrontEndOptions = {}) => ({
  preset: "client" as const,
  presetConfig: {
    fragmentMasking: false,
    ...(trustedDocuments && { persistedDocuments: { mode: "embedHashInDocument", hashAlgorithm: "sha256" } }),
  },
  config: {
    // The mode `documentNode` prints no hashes: its manifest would be empty.
    documentMode: documentMode === "string" ? documentMode : "documentNodeImportFragments",
    enumsAsTypes: true,
    importExtension: ".js",
    scalars: { ID: "string", Decimal: "string", DateTime: "string" },
    strictScalars: true,
    useTypeImports: true,
  },
});
