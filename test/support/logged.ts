/** Log lines of n8n and of the nodes, as text that can be searched for secrets. */

/** Every line that n8n or a node logged, as one text each. */
export class CapturingLogger {
  readonly lines: string[] = [];

  private write(level: string, message: string, metadata?: unknown): void {
    this.lines.push(`${level} ${message} ${metadata === undefined ? '' : allTextOf(metadata)}`);
  }
  error = (message: string, metadata?: unknown) => this.write('error', message, metadata);
  warn = (message: string, metadata?: unknown) => this.write('warn', message, metadata);
  info = (message: string, metadata?: unknown) => this.write('info', message, metadata);
  debug = (message: string, metadata?: unknown) => this.write('debug', message, metadata);
  scoped = () => this;
}

/** Everything that can be reached from a value as text, errors with their causes included. */
export function allTextOf(value: unknown, seen = new Set<unknown>()): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return String(value);
  if (seen.has(value)) return '';
  seen.add(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1');
  const keys = new Set<string>([
    ...Object.keys(value),
    ...(value instanceof Error ? ['message', 'stack', 'cause'] : []),
  ]);
  return [...keys].map((key) => `${key}: ${allTextOf((value as Record<string, unknown>)[key], seen)}`).join('\n');
}
