/** The statements of a script, as they stand and as they can be searched: without comments and what quotes hold. */

export interface Statement {
  /** As it stands in the script. */
  text: string;
  /** With spaces in the place of comments, texts and the bodies of functions. */
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
