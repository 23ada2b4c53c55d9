/** The record of the lock of positions in a stored credential: who has made it, and who may remove it. */
import { CLAIM_LIFE_MS } from '../../../client/session/session-manager';
import { CredentialEntries } from '../../../client/session/credential-entries';
import { ProcessLife, type Stop } from '../../support/process-life';
import { StoredLock } from '../../support/stored-lock';
import { seededRandom, VirtualTime } from '../../support/virtual-time';

function setUp(seed: number) {
  const time = new VirtualTime();
  const random = seededRandom(seed);
  const credential = new StoredLock(time, random);
  const began = time.now();
  /** A process, which may be stopped for a while: milliseconds from the beginning. */
  const entries = (stop?: { from: number; until: number }): CredentialEntries => {
    const stops: Stop[] = stop === undefined ? [] : [{ from: began + stop.from, until: began + stop.until }];
    const life = new ProcessLife(time, stops);
    const store = credential.usedBy(life);
    const clock = { ...time.clock, sleep: async (ms: number) => await life.after(time.sleep(ms)) };
    return new CredentialEntries(() => store, clock, random);
  };
  return { time, began, credential, entries, random };
}

/** Makes the record. @returns the entries, or nothing if another has made it. */
const made = async (entries: CredentialEntries, name: string): Promise<readonly string[]> =>
  await entries.add([name]).catch(() => []);

it('one of three that make it at the same moment has made it', async () => {
  const counts = new Set<number>();
  for (let seed = 0; seed < 100; seed++) {
    const { time, entries, random } = setUp(seed);
    const tries = ['a', 'b', 'c'].map(async (name) => {
      await time.sleep(random() * 200);
      return await made(entries(), name);
    });
    counts.add((await time.run(Promise.all(tries))).flat().length);
  }
  expect([...counts]).toEqual([1]);
});

it('one that was stopped before it wrote has not made it, even if it has replaced that of another, and does not remove it', async () => {
  let replaced = 0;
  for (let seed = 0; seed < 100; seed++) {
    const { time, credential, entries } = setUp(seed);
    const [stopped, other] = [entries({ from: 40 + seed, until: 20_000 }), entries()];
    const slow = made(stopped, 'slow');
    await time.run(time.sleep(1_000));
    const others = await time.run(made(other, 'other'));
    // What it had written before it was stopped is there: the other finds it.
    if (others.length === 0) continue;
    expect(await time.run(slow)).toEqual([]);
    if (String(credential.locked).includes('slow')) replaced += 1;
    const before = credential.locked;
    await time.run(stopped.clear());
    expect(credential.locked).toBe(before);
  }
  expect(replaced).toBeGreaterThan(10);
});

it('one that was stopped before it prolonged the record does not remove what it has replaced', async () => {
  let replaced = 0;
  for (let seed = 0; seed < 100; seed++) {
    const { time, began, credential, entries } = setUp(seed);
    const [holder, other] = [entries({ from: 5_040 + seed, until: 60_000 }), entries()];
    expect(await time.run(made(holder, 'first'))).toEqual(['first']);
    await time.run(time.sleep(5_000 + began - time.now()));
    const prolonging = made(holder, 'second');
    await time.run(time.sleep(1_000));
    await time.run(other.count());
    await time.run(other.clear());
    expect(await time.run(made(other, 'other'))).toEqual(['other']);
    await time.run(prolonging);
    if (!String(credential.locked).includes('other')) replaced += 1;
    const before = credential.locked;
    await time.run(holder.clear());
    expect(credential.locked).toBe(before);
  }
  expect(replaced).toBeGreaterThan(10);
});

it('a record that has come in the place of the one that was counted is not removed', async () => {
  const { time, credential, entries } = setUp(1);
  const [dead, breaker, next] = [entries(), entries(), entries()];
  await time.run(made(dead, 'dead'));
  await time.run(breaker.count());
  await time.run(next.count());
  await time.run(next.clear());
  await time.run(made(next, 'next'));
  await time.run(breaker.clear());
  expect(String(credential.locked)).toContain('next');
  await time.run(next.clear());
  expect(credential.locked).toBe('');
});

it('nobody makes it where n8n does not store it', async () => {
  const { time, credential } = setUp(1);
  credential.writeLock = async () => await time.sleep(1);
  const entries = new CredentialEntries(() => credential, time.clock, seededRandom(1));
  await expect(time.run(entries.add(['a']))).rejects.toThrow('or n8n did not store it');
});

it('one that adds to its record keeps what it had, writes nothing twice, and clears all of it', async () => {
  const { time, credential, entries } = setUp(1);
  const mine = entries();
  expect(await time.run(mine.add(['a']))).toEqual(['a']);
  expect(await time.run(mine.add(['a', 'b']))).toEqual(['b']);
  expect(String(credential.locked).split('\n').slice(1)).toEqual(['a', 'b']);
  let writes = 0;
  const { writeLock } = credential;
  credential.writeLock = async (...given) => {
    writes += 1;
    await writeLock(...given);
  };
  expect(await time.run(mine.add(['a', 'b']))).toEqual([]);
  expect(writes).toBe(0);
  expect(await time.run(mine.count())).toBe(2);
  await time.run(mine.clear());
  expect(credential.locked).toBe('');
  expect(await time.run(mine.count())).toBe(0);
});

it('another process adds nothing to a record that is not its own, and one that has counted nothing removes nothing', async () => {
  const { time, credential, entries } = setUp(2);
  const [mine, other] = [entries(), entries()];
  await time.run(mine.add(['a']));
  const before = credential.locked;
  expect(await time.run(other.add(['b']))).toEqual([]);
  await time.run(other.clear());
  expect(credential.locked).toBe(before);
});

it.each(['', '\nentry', 5, null])('a text that is no record of ours (%j) holds nobody back', async (positionLock) => {
  const time = new VirtualTime();
  const random = seededRandom(1);
  const credential = new StoredLock(time, random, Object.assign({ loginClaim: '' }, { positionLock }));
  const entries = new CredentialEntries(() => credential, time.clock, random);
  expect(await time.run(entries.count())).toBe(0);
  expect(await time.run(entries.add(['a']))).toEqual(['a']);
});

it('a record that an older copy of the credential brings back is removed once more', async () => {
  const { time, credential, entries } = setUp(3);
  const mine = entries();
  await time.run(mine.add(['a']));
  const before = String(credential.locked);
  await time.run(mine.clear());
  await time.run(credential.writeLock({}, before));
  await time.run(time.sleep(60_000));
  expect(credential.locked).toBe('');
});

describe('while another process logs in', () => {
  /** An n8n whose credential holds this claim of a login after so many milliseconds. */
  const waiting = (claimAt: (ms: number, isTaken: boolean) => string) => {
    const { time, began, credential } = setUp(4);
    const { readStored } = credential;
    const claims: string[] = [];
    credential.readStored = async () => ({
      ...(await readStored()),
      loginClaim: claimAt(time.now() - began, claims.length > 0),
    });
    credential.writeClaim = async (_, claim) => void claims.push(claim);
    const mine = new CredentialEntries(() => credential, time.clock, seededRandom(4));
    return { time, began, claims, add: async () => await time.run(mine.add(['a'])) };
  };

  it('a record is made once its login has ended', async () => {
    const { add, claims } = waiting((ms) => (ms < 10_000 ? 'claim other' : ''));
    expect(await add()).toEqual(['a']);
    expect(claims).toEqual([]);
  });

  it('the claim of a process that has died is taken away, and not before it must have ended', async () => {
    const { add, claims, time, began } = waiting((_, taken) => (taken ? '' : 'claim dead'));
    expect(await add()).toEqual(['a']);
    expect(claims).toEqual(['']);
    expect(time.now() - began).toBeGreaterThan(CLAIM_LIFE_MS);
  });

  it('a record is not made, and nothing was sent, where others log in all the time', async () => {
    const { add, claims } = waiting((ms) => `claim ${Math.floor(ms / 10_000)}`);
    await expect(add()).rejects.toMatchObject({
      maySent: false,
      message: expect.stringContaining('log in all the time') as string,
    });
    expect(claims).toEqual([]);
  });
});
