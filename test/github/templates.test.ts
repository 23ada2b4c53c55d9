/** The forms of issues: GitHub shows a form that it does not understand to nobody. */
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

interface Form {
  name?: string;
  description?: string;
  body?: { type: string; id?: string; attributes: { label?: string; value?: string; options?: string[] } }[];
}

const folder = path.resolve(__dirname, '../../.github/ISSUE_TEMPLATE');
const forms = readdirSync(folder).filter((file) => file !== 'config.yml');

it.each(forms)('%s has a name, a description, and fields that GitHub knows, each with its id and label', (file) => {
  const { name, description, body = [] } = parse(readFileSync(path.join(folder, file), 'utf8')) as Form;
  expect([name, description]).toEqual([expect.any(String), expect.any(String)]);
  const fields = body.filter(({ type }) => type !== 'markdown');
  expect(fields.length).toBeGreaterThan(0);
  expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length);
  for (const { type, id, attributes } of fields) {
    expect(['input', 'textarea', 'dropdown']).toContain(type);
    expect([id, attributes.label]).toEqual([expect.stringMatching(/^[a-z]+$/), expect.any(String)]);
    if (type === 'dropdown') expect(attributes.options?.every((option) => typeof option === 'string')).toBe(true);
  }
});
