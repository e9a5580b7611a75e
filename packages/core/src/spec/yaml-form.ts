import { type Document, isScalar, Lexer, visit } from "yaml";
import type { AgentCompassError } from "../error.ts";

const NOT_PRINTABLE = /[^\t\n\r\x20-\x7E\x85\xA0-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;
const ANCHOR = /^[A-Za-z0-9_-]+$/;
/** What the lexer puts before the source of a plain or block scalar. */
const SCALAR_MARK = "\x1f";
const NO_WIDTH = new Set(["\x02", "\x18", SCALAR_MARK]);

type Broken = (offset: number, message: string) => AgentCompassError;

/**
 * Refuses what PyYAML refuses and the `yaml` package accepts: tabs between tokens or inside a plain text, control characters, a
 * directive without a document, another YAML than 1, an anchor given twice or with other characters than letters, digits, `_` and `-`.
 */
export function refuseUnlikePyYaml(source: string, documents: readonly Document[], broken: Broken): void {
  const control = NOT_PRINTABLE.exec(source);
  if (control) throw broken(control.index, "a control character is not allowed");
  refuseTabs(source, broken);
  const directive = /^%(?!YAML[ ]+1\.|TAG[ ]).*/m.exec(source);
  if (directive && (documents.length === 0 || directive[0].startsWith("%YAML")))
    throw broken(directive.index, `'${directive[0]}' is no directive of YAML 1`);
  for (const document of documents) checkNodes(document, broken);
}

function refuseTabs(source: string, broken: Broken): void {
  let offset = 0;
  let before = "";
  for (const token of new Lexer().lex(source)) {
    if (before !== SCALAR_MARK && /^[ \t]+$/.test(token) && token.includes("\t"))
      throw broken(offset + token.indexOf("\t"), "a tab may not separate or indent; use blanks");
    if (!NO_WIDTH.has(token)) offset += token.length;
    before = token;
  }
}

function checkNodes(document: Document, broken: Broken): void {
  const anchors = new Set<string>();
  visit(document, {
    Alias: (_key, alias) => checkName(alias.source, alias.range?.[0] ?? 0, broken),
    Value: (_key, node) => {
      const offset = node.range?.[0] ?? 0;
      if (node.anchor !== undefined) {
        checkName(node.anchor, offset, broken);
        if (anchors.has(node.anchor)) throw broken(offset, `anchor '${node.anchor}' is there twice`);
        anchors.add(node.anchor);
      }
      if (isScalar(node) && node.type === "PLAIN" && String(node.source ?? "").includes("\t"))
        throw broken(offset, "a tab inside a text needs quotes");
    },
  });
}

function checkName(name: string, offset: number, broken: Broken): void {
  if (!ANCHOR.test(name)) throw broken(offset, `'${name}' is no name of an anchor`);
}
