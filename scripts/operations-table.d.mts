export function withOperations(
  page: string,
  resources: Readonly<Record<string, { name: string; operations: Readonly<Record<string, { name: string }>> }>>,
): string;
