/** Version of the published packages, kept as provenance in every run. */
export const VERSION = "0.1.0";
