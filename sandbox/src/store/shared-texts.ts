/** Short texts only: longer ones are seldom the same. */
const MAX_LENGTH = 24;
/** Number of texts that are known at most. */
const MAX_TEXTS = 2_000;

/**
 * Makes equal texts of deserialized data one text. Whoever reads serialized data gets a copy of each text: of a day with
 * 30,000 trades a million of them, though a few hundred differ.
 */
export class SharedTexts {
  private readonly texts = new Map<string, string>();

  /** Puts known texts in the place of equal ones, in all that a value holds. It does not look into maps and sets. */
  share(value: unknown): void {
    if (typeof value !== 'object' || value === null) return;
    const fields = value as Record<string, unknown>;
    for (const name in fields) {
      const field = fields[name];
      if (typeof field === 'string') fields[name] = this.known(field);
      else if (typeof field === 'object') this.share(field);
    }
  }

  private known(text: string): string {
    if (text.length > MAX_LENGTH) return text;
    const sharedText = this.texts.get(text);
    if (sharedText !== undefined) return sharedText;
    if (this.texts.size < MAX_TEXTS) this.texts.set(text, text);
    return text;
  }
}
