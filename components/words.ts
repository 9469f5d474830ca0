/** The API's enumerations in plain words. */

const spoken: Record<string, string> = {
  SAAS: "SaaS",
  LOI: "Letter of intent",
  LICENSE: "Licence",
  MANUAL: "By hand",
  AI: "Suggested",
  SYSTEM: "Automatic",
};

const abbreviations = new Set(["NDA", "MSA", "SOW", "PSA", "DPA", "BAA", "SLA", "API", "PDF"]);

/** `OUT_FOR_SIGNATURE` → `Out for signature`. */
export function inWords(value: string): string {
  if (spoken[value]) return spoken[value];
  const words = value.split("_").map((word) => (abbreviations.has(word) ? word : word.toLowerCase()));
  const text = words.join(" ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export const optionsOf = (values: readonly string[]) =>
  values.map((value) => ({ value, label: inWords(value) }));

/** `1 contract`, `2 contracts`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${new Intl.NumberFormat("en").format(count)} ${count === 1 ? one : many}`;
}
