import type { ExternalStore } from "../../datasources/reads/index.js";
import { DOCUMENT_LIMITS, type DocumentLimits } from "./documentLimits.js";
import type { TrustedDocuments } from "./trustedDocuments.js";

/** Rules for documents, the same for all transports. */
export interface DocumentPolicy {
  readonly limits: DocumentLimits;
  /** The manifest: if set, only its documents are executed. */
  readonly trusted?: TrustedDocuments | undefined;
  /** Keeps registered persisted queries beyond this process. Default: none. */
  readonly store?: ExternalStore | undefined;
  readonly introspection: boolean;
  /** Whether errors suggest names of the schema. */
  readonly suggestions: boolean;
}

/** Makes a policy with defaults for omitted options. */
export const documentPolicy = ({
  limits = DOCUMENT_LIMITS,
  trusted,
  store,
  introspection,
  suggestions = introspection,
}: Partial<DocumentPolicy> & Pick<DocumentPolicy, "introspection">): DocumentPolicy => ({
  limits,
  trusted,
  store,
  introspection,
  suggestions,
});
