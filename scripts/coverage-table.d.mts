export declare function coverageTable(parts: {
  endpoints: Readonly<Record<string, { method: string; path: string; alternative?: string | undefined }>>;
  openapi: unknown;
  sources: { declared: string; read: string };
  sure: {
    endpoints: Readonly<Record<string, readonly string[]>>;
    fields: Readonly<Record<string, readonly string[]>>;
  };
}): string;
/** Texts of the sources that the table looks into. */
export declare function coverageSources(root: string): { declared: string; read: string };
