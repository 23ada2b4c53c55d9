/** Owner of a host name: compared with the library that the list comes from, rule by rule. */
import { getDomain } from 'tldts';
import { EXCEPTIONS, SUFFIXES } from '../../../client/generated/public-suffixes';
import { haveOneOwner, registrableDomain } from '../../../client/session/registrable-domain';

const rules = [...SUFFIXES.split(' '), ...EXCEPTIONS.split(' ')];

it('answers as the library does, for every rule: the name itself and one, two and three labels before it', () => {
  expect(rules.length).toBeGreaterThan(9_000);
  const different = rules
    .map((rule) => rule.replace('*', 'any'))
    .flatMap((name) => [name, `one.${name}`, `two.one.${name}`, `three.two.one.${name}`])
    .filter((name) => registrableDomain(name) !== (getDomain(name, { allowPrivateDomains: true }) ?? undefined));
  expect(different).toEqual([]);
});

it.each([
  ['api.broker.co.in', 'broker.co.in'],
  ['broker.co.in', 'broker.co.in'],
  ['broker.co.in.', 'broker.co.in'],
  ['co.in', undefined],
  ['in', undefined],
  ['localhost', undefined],
  ['10.0.0.1', undefined],
  ['[::1]', undefined],
  ['a.b.unlisted', 'b.unlisted'],
  ['any.ck', undefined],
  ['a.any.ck', 'a.any.ck'],
  ['www.ck', 'www.ck'],
  ['a.www.ck', 'www.ck'],
  ['me.github.io', 'me.github.io'],
  ['xn--55qx5d.cn', undefined],
])('%s is owned as %s', (name, domain) => expect(registrableDomain(name)).toBe(domain));

it('a name is its own owner, also where nobody registers it, and no other one is', () => {
  for (const name of ['10.0.0.1', 'github.io', 'intranet']) {
    expect(haveOneOwner(name, name)).toBe(true);
    expect(haveOneOwner(name, 'github.com')).toBe(false);
  }
  expect(haveOneOwner('10.0.0.1', '10.0.0.2')).toBe(false);
  expect(haveOneOwner('a.broker.in', 'b.broker.in')).toBe(true);
});
