import { intending } from '../../../support/intents';

const STOP = { trigger: 149_000, limit: 148_900, jump: null };
const TARGET = { trigger: 151_000, limit: 150_900 };
const exits = { stop: STOP, target: TARGET, time: null };

describe('Exits: armed by the fills of the entry', () => {
  test('a limit order that crosses is executed, and its stop sells what it filled at the limit or better', () => {
    const t = intending();
    const id = t.enter({ price: 150_100, exits });
    expect(t.get(id)).toMatchObject({ status: 'EXECUTED', filledQuantity: 10 });
    t.price(149_000);
    expect(t.life(id)).toEqual(['received', 'accepted', 'executed', 'exit_triggered', 'exit_filled']);
    expect(t.trades(id).at(-1)).toEqual(['stop', 'SELL', 148_990, 10]);
    expect(t.exit(id, 'stop').status).toBe('FILLED');
    expect(t.exit(id, 'target').status).toBe('CANCELLED');
    t.price(152_000);
    expect(t.trades(id)).toHaveLength(2);
  });

  test('a target sells at its limit or better, and the stop is cancelled', () => {
    const t = intending();
    const id = t.enter({ price: 150_100, exits });
    t.price(151_000);
    expect(t.trades(id).at(-1)).toEqual(['target', 'SELL', 150_990, 10]);
    expect(t.exit(id, 'stop').status).toBe('CANCELLED');
  });
});
