/** Exits of an order that a trigger emulates. Their prices are in the order's own tag, so that no restart can lose them. */
import type { EmulatedExits } from '../orders/model/order-terms';
import { isMadeTag, userTagOf } from '../orders/model/tags';

const BASE = 36;
const MARK = /^xs([0-9a-z]{1,8})(?:-xt([0-9a-z]{1,8}))?$/;

/** The label in front of a tag that says which exits are kept. */
export function exitTagOf({ stop, target }: EmulatedExits): string {
  return `xs${stop.toString(BASE)}${target === undefined ? '' : `-xt${target.toString(BASE)}`}`;
}

/** The exits that a tag says are kept; undefined for any other tag. */
export function exitsInTag(tag: string): EmulatedExits | undefined {
  const match = isMadeTag(tag) ? MARK.exec(userTagOf(tag)) : null;
  if (match === null) return undefined;
  const [, stop = '', target] = match;
  return { stop: parseInt(stop, BASE), ...(target === undefined ? {} : { target: parseInt(target, BASE) }) };
}

/** Returns true if the user's own label would be read as such a mark. */
export function isExitTag(label: string): boolean {
  return MARK.test(label);
}
