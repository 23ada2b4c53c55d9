/**
 * Writes THIRD-PARTY-NOTICES of both packages: what they ship or need that is not the project's own, and its licence.
 * `npm run notices` writes them, `npm run notices -- --check` compares, and fails where they differ. A second argument is the project's folder.
 *
 * A dependency without a licence, or with one that is not in `LICENCES`, is an error: somebody must read it first.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './support.mjs';

/** Licences whose conditions somebody has read: that they are named, and nothing of the project's own code. */
const LICENCES = ['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0'];
/** Licences of packages with a choice, or whose package.json lacks the words of their LICENSE. */
const READ = { '@zone-eu/mailsplit': 'MIT', 'png-js': 'MIT' };

/** Returns the lock file's place of a package's dependency: nearest to it first, as Node.js looks. */
function placeOf(packages, name, from) {
  const parts = from.split('/node_modules/');
  for (let count = parts.length; count > 0; count -= 1) {
    const place = `${parts.slice(0, count).join('/node_modules/')}/node_modules/${name}`;
    if (packages[place] !== undefined) return place;
  }
  return packages[`node_modules/${name}`] === undefined ? undefined : `node_modules/${name}`;
}

/** All that a workspace needs at run time, by place in the lock file. @throws Error if the lock file lacks one */
function neededBy(packages, workspace) {
  const found = new Map();
  const visit = (from) => {
    const { dependencies = {}, optionalDependencies = {} } = packages[from];
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const place = placeOf(packages, name, from);
      if (place === undefined && name in optionalDependencies) continue;
      if (place === undefined) throw new Error(`package-lock.json lacks ${name}, which ${from} needs.`);
      if (found.has(place)) continue;
      found.set(place, { name, ...packages[place] });
      visit(place);
    }
  };
  visit(workspace);
  return [...found.values()];
}

/** The licence of a package. @throws Error if nobody has read it */
function licenceOf({ name, version, license }) {
  const licence = READ[name] ?? license;
  if (LICENCES.includes(licence)) return licence;
  throw new Error(
    `${name} ${version} has the licence ${licence ?? 'of no name'}: read it, and add it to scripts/third-party.mjs or do without the package.`,
  );
}

const suffixList = (version) => `n8n-nodes-brokerage: what it holds that is not its own

It has no dependencies at run time; n8n brings n8n-workflow and luxon. All of it is the project's own, under the licence in LICENSE, but this:

Public Suffix List
  Where     dist/client/generated/public-suffixes.js: the rules as text, sorted, those in ASCII alone. Made by
            scripts/public-suffixes.mjs of the list as the package tldts ${version} carries it.
  Licence   Mozilla Public License 2.0 (MPL-2.0)
  Source    https://publicsuffix.org/list/public_suffix_list.dat and https://github.com/publicsuffix/list

  This Source Code Form is subject to the terms of the Mozilla Public
  License, v. 2.0. If a copy of the MPL was not distributed with this
  file, You can obtain one at https://mozilla.org/MPL/2.0/.

Names of listed companies
  Where     dist/client/instruments/names/companies.data.js: ISIN and name of each company that NSE lists, and former symbols by
            ISIN. Made by scripts/company-names.mjs of NSE's list of 2026-06-30 and end-of-day files of earlier days.
  Licence   None is stated. It takes facts (names, ISINs, symbols) in a form of its own, and no text of the exchange.
  Source    National Stock Exchange of India, "Securities available for trading" (EQUITY_L.csv) and daily bhavcopies,
            https://www.nseindia.com/market-data/securities-available-for-trading
`;

const dependencies = (needed) => `brokerage-sandbox: what it needs that is not its own

All in this package is the project's own, under the licence in LICENSE. npm installs these packages beside it, each with its own licence text:

${needed.map(({ name, version, licence }) => `  ${`${name} ${version}`.padEnd(44)} ${licence}`).join('\n')}

The page of the exchange serves one of them to the browser:

lightweight-charts ${needed.find(({ name }) => name === 'lightweight-charts').version}
  TradingView Lightweight Charts™
  Copyright (c) TradingView, Inc. https://www.tradingview.com/
  Licence   Apache License 2.0, https://www.apache.org/licenses/LICENSE-2.0
`;

/** The texts of both files, by their place in the project. @throws Error if a licence is not known */
function noticesOf(folder) {
  const read = (name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8'));
  const { packages } = read('package-lock.json');
  const own = Object.keys(read('package.json').dependencies ?? {});
  if (own.length > 0) throw new Error(`n8n-nodes-brokerage must have no dependencies, and has ${own.join(', ')}.`);
  const needed = neededBy(packages, 'sandbox')
    .map((one) => ({ ...one, licence: licenceOf(one) }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.version < b.version ? -1 : 1));
  return {
    'THIRD-PARTY-NOTICES': suffixList(packages['node_modules/tldts'].version),
    'sandbox/THIRD-PARTY-NOTICES': dependencies(needed),
  };
}

const isCheck = process.argv.includes('--check');
const [folder = root] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
try {
  for (const [name, text] of Object.entries(noticesOf(folder))) {
    const file = path.join(folder, name);
    if (!isCheck) writeFileSync(file, text);
    else if (readFileSync(file, 'utf8') !== text)
      throw new Error(`${name} is not what the lock file says: run npm run notices.`);
  }
  if (isCheck) console.log('THIRD-PARTY-NOTICES of both packages name what they hold and need.');
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
