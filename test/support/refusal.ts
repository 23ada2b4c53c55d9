import { InputError } from '../../client/base/errors';

/**
 * Returns the refusal of an act, before anything is sent. @throws where nothing is refused, or something else goes
 * wrong
 */
export function refusal(act: () => unknown): InputError {
  try {
    act();
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
