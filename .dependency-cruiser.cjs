/** The direction of imports that docs/architecture describes; TypeScript itself does not enforce it. */
const rooms = (...names) => `^packages/(${names.join("|")})/`;

module.exports = {
  forbidden: [
    { name: "no-circular", severity: "error", from: {}, to: { circular: true, dependencyTypesNot: ["type-only"] } },
    {
      name: "core-imports-no-room",
      severity: "error",
      from: { path: rooms("core") },
      to: { path: "^packages/(?!core/)" },
    },
    {
      name: "local-and-runner-import-core-alone",
      severity: "error",
      from: { path: "^packages/(local|runner)/src", pathNot: "[.]test[.]ts$" },
      to: { path: "^packages/(?!core/)", pathNot: "^packages/$1/" },
    },
    {
      name: "nothing-imports-cli",
      severity: "error",
      from: { path: "^packages/(?!cli/)" },
      to: { path: rooms("cli") },
    },
    {
      name: "sdk-reaches-rooms-dynamically",
      severity: "error",
      from: { path: "^packages/sdk/src", pathNot: "[.]test[.]ts$" },
      to: { path: rooms("local", "runner"), dependencyTypesNot: ["dynamic-import", "type-only"] },
    },
    {
      name: "core-is-pure",
      severity: "error",
      from: { path: "^packages/core/src", pathNot: "[.]test[.]ts$" },
      to: { dependencyTypes: ["core"], pathNot: "^(node:)?crypto$" },
    },
    {
      name: "no-test-code-in-sources",
      severity: "error",
      from: { path: "^packages/[^/]+/src", pathNot: "[.]test[.]ts$" },
      to: { path: "^(test/|packages/[^/]+/testing/)" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "types", "default"] },
  },
};
