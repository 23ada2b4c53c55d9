import type { Resource } from '../../common/operation';
import { check } from './check.operation';
import { checkStaticIp } from './checkStaticIp.operation';
import { getUser } from './getUser.operation';
import { logInWithOtp } from './logInWithOtp.operation';
import { logOut } from './logOut.operation';
import { requestOtp } from './requestOtp.operation';
import { stopTrading } from './stopTrading.operation';
import { totpDisable } from './totpDisable.operation';
import { totpEnable } from './totpEnable.operation';
import { totpGenerate } from './totpGenerate.operation';

export const session: Resource = {
  name: 'Session',
  first: 'check',
  operations: {
    check,
    checkStaticIp,
    getUser,
    logInWithOtp,
    logOut,
    requestOtp,
    stopTrading,
    totpDisable,
    totpEnable,
    totpGenerate,
  },
};
