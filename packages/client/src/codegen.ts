/** Options of graphql-codegen's output for a front end. */
export interface FrontEndOptions {
  /**
   * `string`: documents as text, for the client alone or with urql. `documentNode`: syntax trees, for Apollo Client. Default:
   * `string`.
   */
  readonly documentMode?: "string" | "documentNode";
  /**
   * Writes `persisted-documents.json`, which the gateway takes as `TRUSTED_DOCUMENTS`, and adds the hash to each document for the
   * option `trustedDocuments`. Default: false.
   */
  readonly trustedDocuments?: boolean;
}

/** An output of graphql-codegen: its `client` preset with the scalars of this graph as text. */
export const frontEnd = ({ documentMode = "string", trustedDocuments = false }: FrontEndOptions = {}) => ({
  preset: "client" as const,
  presetConfig: {
    fragmentMasking: false,
    ...(trustedDocuments && { persistedDocuments: { mode: "embedHashInDocument", hashAlgorithm: "sha256" } }),
  },
  config: {
    // The mode `documentNode` writes no hashes: its manifest would be empty.
    documentMode: documentMode === "string" ? documentMode : "documentNodeImportFragments",
    enumsAsTypes: true,
    importExtension: ".js",
    scalars: { ID: "string", Decimal: "string", DateTime: "string", BigInt: "number", JSON: "unknown" },
    strictScalars: true,
    useTypeImports: true,
  },
});
