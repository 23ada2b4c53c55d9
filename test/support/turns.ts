/** Tests that say the same of several worlds, such as the order interfaces. */
import { IS_WHOLE } from './sample';

/**
 * Tests of one world that take turns with those of the others: each is run in one of them, and in all of them with
 * TEST_ALL=1.
 * @param worlds how many there are; @param world which one this is, from 0.
 * @returns the function to call in place of `it`: in every world it is called with the same tests.
 */
export function inTurn(worlds: number, world: number): (title: string, test: () => Promise<void>) => void {
  let tests = 0;
  return (title, test) => {
    const isItsTurn = tests % worlds === world;
    tests += 1;
    if (IS_WHOLE || isItsTurn) it(title, test);
  };
}
