import { DOCUMENT_LIMITS, type DocumentLimits } from "./documentLimits.js";
import type { TrustedDocuments } from "./trustedDocuments.js";

/** Which documents are run, whatever they came over. */
export interface DocumentPolicy {
  readonly limits: DocumentLimits;
  /** Only these, where there is a manifest. */
  readonly trusted?: TrustedDocuments | undefined;
  /** May clients ask what the schema is? */
  readonly introspection: boolean;
  /** Do errors name fields that the client may have meant? */
  readonly suggestions: boolean;
}

/** Makes a policy; what is left out is as usual. */
export const documentPolicy = ({
  limits = {},
  trusted,
  introspection,
  suggestions = introspection,
}: {
  readonly limits?: Partial<DocumentLimits> | undefined;
  readonly trusted?: TrustedDocuments | undefined;
  readonly introspection: boolean;
  readonly suggestions?: boolean | undefined;
}): DocumentPolicy => ({ limits: { ...DOCUMENT_LIMITS, ...limits }, trusted, introspection, suggestions });
