/**
 * The table of docs/service/coverage.md: each endpoint and each field of its reply, with who knows it. Pure; `scripts/coverage.mjs` writes it,
 * and a test compares it with the file.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const METHODS = ['get', 'post', 'put', 'delete'];
/** Maximum depth of a schema, deeper than any reply with separate fields. */
const DEEPEST = 8;

/** A path without the names of its parameters. */
const shapeOf = (path) => path.replace(/\{\w+\}/g, '{}');

/** Returns the names of the fields of a schema, as paths with points; `[]` means a list, `*` names that are data. */
function fieldsOf(schema, path = '', depth = 0) {
  if (schema === undefined || depth > DEEPEST) return [];
  const { properties, items, anyOf, patternProperties } = schema;
  const inner = (of, at) => fieldsOf(of, at, depth + 1);
  if (anyOf !== undefined) return [...new Set(anyOf.flatMap((one) => inner(one, path)))];
  if (items !== undefined) return inner(items, `${path}[]`);
  if (patternProperties !== undefined)
    return Object.values(patternProperties).flatMap((one) => inner(one, `${path}.*`));
  if (properties === undefined) return [];
  return Object.entries(properties).flatMap(([name, of]) => {
    const at = path === '' ? name : `${path}.${name}`;
    const below = inner(of, at);
    return below.length === 0 ? [at] : below;
  });
}

/** The last name of a path of fields. */
const nameOf = (field) =>
  field
    .split('.')
    .filter((part) => !/^(\*|\[\])*$/.test(part))
    .at(-1)
    ?.replaceAll('[]', '') ?? field;

/** The schema of a good JSON reply. */
function replyOf({ responses = {} }) {
  const [status] = Object.keys(responses).filter((code) => /^2/.test(code));
  return responses[status]?.content?.['application/json']?.schema;
}

/** Operations of the sandbox that are the service's: not its page, nor its control plane. */
function served(openapi) {
  return Object.entries(openapi.paths)
    .filter(([path]) => !path.startsWith('/_sandbox'))
    .flatMap(([path, methods]) =>
      METHODS.filter((method) => methods[method] !== undefined).map((method) => ({
        method: method.toUpperCase(),
        path,
        fields: fieldsOf(replyOf(methods[method])),
      })),
    );
}

const yes = (known) => (known ? 'yes' : '–');

/**
 * @param endpoints the client's table: `{name: {method, path, alternative?}}`
 * @param openapi what the sandbox says of itself
 * @param sources texts: `declared` of client/endpoints, `read` of the rest of the client and of the nodes
 * @param sure `{endpoints: {sureness: ["GET /path"]}, fields: {sureness: ["name"]}}`; what is in none is of the specification
 */
export function coverageTable({ endpoints, openapi, sources, sure }) {
  const words = (text) => new Set(text.replace(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '').match(/\w+/g));
  const [declared, read] = [words(sources.declared), words(sources.read)];
  const routes = served(openapi);
  const sureOf = (kind, name) => Object.entries(sure[kind]).find(([, names]) => names.includes(name))?.[0];
  const asked = new Map();
  for (const [name, { method, path, alternative }] of Object.entries(endpoints))
    for (const one of [path, alternative].filter((each) => each !== undefined))
      asked.set(`${method} ${shapeOf(one)}`, { name, method, path: one });
  const all = new Map();
  for (const { method, path } of asked.values()) all.set(`${method} ${shapeOf(path)}`, { method, path });
  for (const { method, path } of routes) {
    const key = `${method} ${shapeOf(path)}`;
    if (!all.has(key)) all.set(key, { method, path });
  }
  const rows = [...all].sort(([a], [b]) => (a.slice(a.indexOf(' ')) < b.slice(b.indexOf(' ')) ? -1 : 1));
  const servedAs = (key) => {
    const routeKey = ({ method, path }) => `${method} ${shapeOf(path)}`;
    const exact = routes.filter((route) => routeKey(route) === key);
    // A path that the client asks by its whole name is no case of one with a parameter in it.
    return exact.length > 0
      ? exact
      : routes.filter((route) => !asked.has(routeKey(route)) && isServed(key, routeKey(route)));
  };
  const lines = ['| Endpoint | Client | Sandbox | How sure |', '|---|---|---|---|'];
  const details = [];
  for (const [key, { method, path }] of rows) {
    const found = servedAs(key);
    const endpoint = `${method} ${path}`;
    const known = sureOf('endpoints', endpoint) ?? 'specified';
    lines.push(`| \`${endpoint}\` | ${yes(asked.has(key))} | ${yes(found.length > 0)} | ${known} |`);
    const fields = [...new Set(found.flatMap((route) => route.fields))];
    if (!asked.has(key) || fields.length === 0) continue;
    details.push(`## ${endpoint}`, '', '| Field | Client | Node | Sandbox | How sure |', '|---|---|---|---|---|');
    for (const field of fields) {
      const name = nameOf(field);
      const row = [
        `\`${field}\``,
        yes(declared.has(name)),
        yes(read.has(name)),
        'yes',
        sureOf('fields', name) ?? known,
      ];
      details.push(`| ${row.join(' | ')} |`);
    }
    details.push('');
  }
  return `${HEAD}${lines.join('\n')}\n\n${details.join('\n')}`.trimEnd().concat('\n');
}

/** Returns true if a route of the sandbox answers a path of the client: a parameter of the client matches one part that the route names. */
function isServed(asked, route) {
  const [a, b] = [asked.split('/'), route.split('/')];
  return a.length === b.length && a.every((part, at) => part === b[at] || fits(part, b[at]));
}

/** `fetch_{}` fits `fetch_balance_sheet`; a part that is a parameter alone fits only a parameter. */
function fits(part, named) {
  const at = part.indexOf('{}');
  return at > 0 && named.startsWith(part.slice(0, at)) && named.endsWith(part.slice(at + 2)) && named !== part;
}

const HEAD = `# What of the service is covered

Made by \`npm run coverage\` of the client's table of endpoints and of what the sandbox says of itself; a test checks that it is current. The
first table has each endpoint: whether the client asks it, whether the sandbox serves it, and how sure it is that the service has
it. The others have each field that the sandbox sends:

- **Client**: the types of \`client/endpoints\` declare a field of this name.
- **Node**: the rest of the client or the nodes read it by name. What is passed on as a whole is not counted.
- **How sure**: *specified* in the service's specification; *seen* at somebody's program or printed output against the service; *told* on the
  maker's own pages; *named*: only the path or the name is known.

`;

/** Texts of the sources that the table looks into. */
export function coverageSources(root) {
  const texts = (folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
  const read = (files) => files.map((file) => readFileSync(file, 'utf8')).join('\n');
  const declared = texts('client/endpoints');
  return {
    declared: read(declared),
    read: read([...texts('client'), ...texts('nodes')].filter((file) => !declared.includes(file))),
  };
}
