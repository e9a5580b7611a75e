/** The package's main export: the SDK. */
export * from "@agentcompass/sdk";
