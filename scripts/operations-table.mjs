/** The table of operations in README: a row for each resource, with the names that the editor shows, in their order. */

const MARKS = ['<!-- operations: npm run operations -->', '<!-- /operations -->'];

/**
 * @param page the text of README
 * @param resources the table of the node: `{resource: {name, operations: {operation: {name}}}}`
 * @returns the page with the table between the marks made again.
 */
export function withOperations(page, resources) {
  const [from, to] = MARKS.map((mark) => page.indexOf(mark));
  if (from < 0 || to < from) throw new Error(`README.md has no room for the table, between ${MARKS.join(' and ')}.`);
  const rows = Object.entries(resources).map(([key, { name, operations }]) => {
    const names = Object.values(operations).map((operation) => operation.name);
    return `| [${name}](docs/${key}.md) | ${names.sort((a, b) => a.localeCompare(b, 'en')).join(' · ')} |`;
  });
  const table = ['| Resource | Operations |', '|---|---|', ...rows].join('\n');
  return `${page.slice(0, from)}${MARKS[0]}\n\n${table}\n\n${page.slice(to)}`;
}
