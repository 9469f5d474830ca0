/** Splits a script into statements, each as written and in a searchable form without comments and quoted content. */

export interface Statement {
  /** As written in the script. */
  text: string;
  /** With spaces in place of comments, string literals and function bodies. */
  code: string;
}

const hidden = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|(\$\w*\$)[\s\S]*?\1/g;

export function statementsOf(script: string): Statement[] {
  const code = script.replace(hidden, (token) => token.replace(/[^\n]/g, " "));
  const ends = [...code.matchAll(/;|$(?![\s\S])/g)].map(({ index }) => index);
  return ends
    .map((end, at) => {
      const start = at === 0 ? 0 : ends[at - 1]! + 1;
      return { text: script.slice(start, end).trim(), code: code.slice(start, end).trim() };
    })
    .filter((statement) => statement.code !== "");
}
