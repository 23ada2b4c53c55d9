import { waitForOwnTurn } from '../../../nodes/host/waitForOwnTurn';

/** Prepares some items, waits for each, and notes them. */
async function prepare(name: string, noted: string[]): Promise<void> {
  await waitForOwnTurn();
  for (const item of [1, 2, 3]) noted.push(await Promise.resolve(`${name}${item}`));
}

it('lets one that began at the same moment prepare all of its items first', async () => {
  const noted: string[] = [];
  await Promise.all(['a', 'b', 'c'].map((name) => prepare(name, noted)));
  expect(noted).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'b3', 'c1', 'c2', 'c3']);
});

it('sends what one has prepared before the next one begins', async () => {
  const noted: string[] = [];
  const send = async (name: string): Promise<void> => {
    await prepare(name, noted);
    await new Promise(setImmediate);
    noted.push(`${name} is sent`);
  };
  await Promise.all(['a', 'b'].map(send));
  expect(noted.indexOf('a is sent')).toBeLessThan(noted.indexOf('b1'));
});
