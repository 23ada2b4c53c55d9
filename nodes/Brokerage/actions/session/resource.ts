import type { Resource } from '../operation';
import { check } from './check.operation';
import { checkStaticIp } from './checkStaticIp.operation';
import { getUser } from './getUser.operation';
import { logOut } from './logOut.operation';

export const session: Resource = {
  name: 'Session',
  first: 'check',
  operations: { check, checkStaticIp, getUser, logOut },
};
