interface Mutant {
  id: string;
  fileName: string;
  mutatorName: string;
  original: string;
  replacement?: string;
  location: { start: { line: number; column: number } };
}

export function named<M extends Mutant>(mutants: readonly M[]): (M & { name: string })[];

export function onlyLoading(
  mutants: readonly Mutant[],
  reached: readonly { loading: readonly string[]; running: readonly string[] }[],
): string[];

export function judge(
  mutants: readonly (Mutant & { name: string })[],
  noticed: ReadonlySet<string>,
  explained: object,
): { noticed: number; survived: number; explained: number; survivors: string[]; score: number };

export function secondsOf(time: string): number;
