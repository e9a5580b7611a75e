import { stringify } from "yaml";

/** YAML in block style with nothing folded and no anchors, so that it can be edited and diffed. */
export function yamlText(value: object): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false, version: "1.1" });
}
