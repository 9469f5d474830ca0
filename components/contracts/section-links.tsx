/** Links to the sections of a contract's page. */
const sections = [
  ["summary", "Summary"],
  ["dates", "Dates"],
  ["obligations", "Obligations"],
  ["documents", "Documents"],
  ["signatures", "Signatures"],
  ["comments", "Comments"],
  ["activity", "Activity"],
];

export function SectionLinks() {
  return (
    <nav
      aria-label="On this page"
      className="sticky top-0 z-10 -mx-4 mt-3 border-line border-b bg-paper px-4 max-md:static md:-mx-6 md:px-6 print:hidden"
    >
      <ul className="-mx-2 flex flex-wrap gap-x-1">
        {sections.map(([id, label]) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className="inline-flex h-9 items-center rounded-md px-2 font-medium text-quiet text-xs hover:text-ink"
            >
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
