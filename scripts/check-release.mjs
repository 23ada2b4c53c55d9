/**
 * Checks that a tag, the versions of both packages and the changelog tell the same release: `node scripts/check-release.mjs v1.2.3`.
 * A second argument is the project's folder.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './support.mjs';

const TAG = /^v(\d+\.\d+\.\d+)$/;
const HEADING = /^## \[([^\]]+)\](?: - (\d{4}-\d{2}-\d{2}))?$/;

/** Returns the sections of a changelog, the first on top: name, date, and whether they hold text. */
function sectionsOf(changelog) {
  const sections = [];
  for (const line of changelog.split(/\r?\n/)) {
    const [, name, date] = HEADING.exec(line) ?? [];
    if (name !== undefined) sections.push({ name, date, empty: true });
    else if (/^## /.test(line)) sections.push({ name: line, empty: true });
    else if (sections.length > 0 && line.trim() !== '' && !line.startsWith('#')) sections.at(-1).empty = false;
  }
  return sections;
}

/** Returns true if a date of ISO 8601 is in the calendar. */
const isDate = (text) =>
  text !== undefined && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text);

/** Returns the faults in the changelog of a release; an empty list if there are none. */
function wrongWithChangelog(changelog, version) {
  const [unreleased, latest] = sectionsOf(changelog);
  if (unreleased?.name !== 'Unreleased') return ['CHANGELOG.md: its first section is not "## [Unreleased]".'];
  const wrong = [];
  if (!unreleased.empty)
    wrong.push(`CHANGELOG.md: [Unreleased] is not empty. Move what it tells to "## [${version}] - DATE".`);
  if (latest?.name !== version)
    wrong.push(`CHANGELOG.md: the section after [Unreleased] is ${latest?.name ?? 'missing'}, not [${version}].`);
  else if (!isDate(latest.date)) wrong.push(`CHANGELOG.md: [${version}] has no date, such as 2026-11-30.`);
  else if (latest.empty) wrong.push(`CHANGELOG.md: [${version}] tells nothing.`);
  return wrong;
}

/** Returns the reasons for not releasing the tag; an empty list if there are none. */
function wrongWith(tag, folder) {
  const text = (file) => readFileSync(path.join(folder, file), 'utf8');
  const version = TAG.exec(tag)?.[1];
  if (version === undefined) return [`The tag ${JSON.stringify(tag)} is not of the form v1.2.3.`];
  const lock = JSON.parse(text('package-lock.json')).packages;
  const versions = {
    'package.json': JSON.parse(text('package.json')).version,
    'sandbox/package.json': JSON.parse(text('sandbox/package.json')).version,
    'package-lock.json': lock[''].version,
    'package-lock.json, sandbox': lock.sandbox.version,
  };
  return [
    ...Object.entries(versions)
      .filter(([, found]) => found !== version)
      .map(([file, found]) => `${file}: its version is ${found}, and the tag is ${tag}.`),
    ...wrongWithChangelog(text('CHANGELOG.md'), version),
  ];
}

const [tag = '', folder = root] = process.argv.slice(2);
const wrong = wrongWith(tag, folder);
for (const line of wrong) console.error(line);
if (wrong.length > 0) process.exitCode = 1;
else console.log(`${tag}: both packages, the lock file and the changelog agree.`);
