/**
 * Checks that docs/service/coverage.md is what the client's table and the sandbox's own description make of it today.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { endpoints } from '../../client/endpoints';
import { coverageSources, coverageTable } from '../../scripts/coverage-table.mjs';
import { testSandbox } from '../support/sandbox';

const root = path.resolve(__dirname, '../..');
const sure = JSON.parse(readFileSync(path.join(__dirname, 'sure.json'), 'utf8')) as Parameters<
  typeof coverageTable
>[0]['sure'];

it('the coverage table is current, as npm run coverage writes it', async () => {
  const sandbox = await testSandbox();
  try {
    const openapi: unknown = await (await fetch(`${sandbox.url}/_sandbox/openapi.json`)).json();
    const made = coverageTable({ endpoints, openapi, sources: coverageSources(root), sure });
    expect(readFileSync(path.join(root, 'docs/service/coverage.md'), 'utf8')).toBe(made);
  } finally {
    await sandbox.close();
  }
});

it('the coverage table names no endpoint that the client and the sandbox do not have', async () => {
  const text = readFileSync(path.join(root, 'docs/service/coverage.md'), 'utf8');
  for (const endpoint of Object.values(sure.endpoints).flat()) expect(text).toContain(`| \`${endpoint}\` |`);
});

it('the coverage table says where the client asks for something that the sandbox does not serve', () => {
  const table = coverageTable({
    endpoints: { one: { method: 'GET', path: '/one/{id}' }, two: { method: 'GET', path: '/two_{kind}' } },
    openapi: {
      paths: {
        '/one/{name}': {
          get: {
            responses: {
              200: {
                content: {
                  'application/json': {
                    schema: {
                      properties: { known: { type: 'string' }, list: { items: { properties: { inner: {} } } } },
                    },
                  },
                },
              },
            },
          },
        },
        '/three': { get: { responses: {} } },
      },
    },
    sources: { declared: 'known', read: 'inner' },
    sure: { endpoints: { named: ['GET /two_{kind}'] }, fields: { told: ['inner'] } },
  });
  expect(table).toContain('| `GET /one/{id}` | yes | yes | specified |');
  expect(table).toContain('| `GET /two_{kind}` | yes | – | named |');
  expect(table).toContain('| `GET /three` | – | yes | specified |');
  expect(table).toContain('| `known` | yes | – | yes | specified |');
  expect(table).toContain('| `list[].inner` | – | yes | yes | told |');
});
