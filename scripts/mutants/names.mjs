/** Names of mutants in the list of the explained ones, and the result of a run by that list. */

/**
 * Gives each mutant a `name`: without its line, which changes with every edit above it. The second and each further equal one of a file
 * is told apart by its ordinal in the file, so that an explanation is of one mutant.
 * @param mutants all of their files: of a share of them, the ordinals would be others.
 */
export function named(mutants) {
  const met = new Map();
  const names = new Map();
  for (const mutant of mutants.toSorted((a, b) => place(a) - place(b))) {
    const { fileName, mutatorName, original, replacement } = mutant;
    const name = `${fileName}: ${mutatorName}: ${text(original)} -> ${text(replacement ?? '')}`;
    const ordinal = (met.get(name) ?? 0) + 1;
    met.set(name, ordinal);
    names.set(mutant, ordinal === 1 ? name : `${name} #${ordinal}`);
  }
  return mutants.map((mutant) => ({ ...mutant, name: names.get(mutant) }));
}

const text = (value) => value.replaceAll(/\s+/g, ' ').slice(0, 120);
const place = ({ location: { start } }) => start.line * 10_000 + start.column;

/**
 * The mutants that are only reached while a file is loaded.
 * @param mutants those that a process tried: of the others, it does not know what its tests reach by themselves.
 * @param reached identifiers, as the test files have noted them.
 * @returns identifiers.
 */
export function onlyLoading(mutants, reached) {
  const loading = new Set(reached.flatMap((one) => one.loading));
  const running = new Set(reached.flatMap((one) => one.running));
  return mutants.map(({ id }) => id).filter((id) => loading.has(id) && !running.has(id));
}

/**
 * Judges the mutants.
 * @param mutants as `named` gives them.
 * @param noticed identifiers.
 * @param explained reasons by name.
 * @returns the score in percent, and those that survived without an explanation.
 */
export function judge(mutants, noticed, explained) {
  const left = mutants.filter(({ id }) => !noticed.has(id));
  const survivors = left.filter(({ name }) => !(name in explained));
  const counts = {
    noticed: mutants.length - left.length,
    survived: survivors.length,
    explained: left.length - survivors.length,
  };
  const score = (100 * counts.noticed) / Math.max(1, counts.noticed + counts.survived);
  const lines = survivors.map(
    ({ fileName, location, name }) => `${fileName}:${location.start.line + 1} ${name.slice(fileName.length + 2)}`,
  );
  return { ...counts, survivors: lines, score };
}

/** Returns the seconds of a time as `ps` prints it: 02:03, 1-02:03:04, 2:03.45; 0 for none. */
export function secondsOf(time) {
  return time
    .trim()
    .split(/[-:]/)
    .toReversed()
    .reduce((sum, part, at) => sum + Number(part) * [1, 60, 3_600, 86_400][at], 0);
}
