/** The line below the node's name on the canvas: resource and operation, in the words of the panel. */
import type { Resource } from './common/operation';

/** Returns an expression of n8n: `Quote: Get Current Price`. What the table does not hold is shown unchanged. */
export function subtitleOf(resources: Record<string, Resource>): string {
  const lines = Object.entries(resources).flatMap(([resource, { name, operations }]) =>
    Object.entries(operations).map(([operation, inner]) => [`${resource}.${operation}`, `${name}: ${inner.name}`]),
  );
  // One flat table: two closing braces would end n8n's expression.
  const table = JSON.stringify(Object.fromEntries(lines));
  const chosen = '$parameter["resource"] + "." + $parameter["operation"]';
  return `={{ (${table})[${chosen}] ?? ${chosen} }}`;
}
