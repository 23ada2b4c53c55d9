import { enableTotp } from '../../../../client/session/account';
import { readMpin, totpSecretOf } from '../../../../client/session/settings';
import { nextTotpStep, totpCode } from '../../../../client/session/totp';
import { InputError } from '../../../../client/base/errors';
import { clock } from '../../../host/clock';
import type { ItemOperation } from '../../common/operation';
import { onceInExecution } from './onceInExecution';

export const totpEnable: ItemOperation = {
  name: 'TOTP: Enable',
  notForAgents: true,
  action: 'Enable TOTP',
  description: 'Switch TOTP on, so the credential can log in unattended. It uses the MPIN of the credential.',
  properties: [
    {
      displayName: 'Confirm With',
      name: 'confirmWith',
      type: 'options',
      options: [
        { name: 'Code', value: 'code', description: 'The six digits that the authenticator app shows now' },
        {
          name: 'Secret',
          value: 'secret',
          description: 'The node makes the code from the secret in the credential',
        },
      ],
      default: 'code',
      description: 'How to prove that you have the secret',
    },
    {
      displayName: 'Code',
      name: 'code',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      displayOptions: { show: { confirmWith: ['code'] } },
      description: 'The six digits, as text: a number would lose a leading zero',
    },
  ],
  async execute(item) {
    const service = await item.service();
    const mpin = readMpin(service.credential);
    const { signal } = item.run;
    let code: string;
    if (item.choice('confirmWith', ['code', 'secret'] as const) === 'secret') {
      code = totpCode(totpSecretOf(service.credential), await nextTotpStep(clock, [], signal));
    } else {
      const entered = item.raw('code');
      if (typeof entered !== 'string' || !/^\d{6}$/.test(entered.trim())) {
        throw new InputError('Code must be the six digits of the authenticator app, as text.', { parameter: 'code' });
      }
      code = entered.trim();
    }
    item.run.secrets.add(code);
    const message = await onceInExecution(item, async () => await enableTotp(service.transport, mpin, code, signal));
    return [item.output({ totp_enabled: true, message, environment: service.connection.environment })];
  },
};
