import { InputError } from '../../../../client/base/errors';
import { readSettings } from '../../../../client/session/settings';
import { logInByHand } from '../../../host/http';
import type { ItemOperation } from '../../common/operation';
import { byOtpOnly } from './byOtp';

const lastDigits = (phone: string): string => phone.replace(/\D/g, '').slice(-10);

export const requestOtp: ItemOperation = {
  name: 'Request OTP',
  action: 'Request an OTP',
  description:
    'Have an OTP sent to the phone of the credential, for a login by OTP. While the login of the last OTP lives, a new session is made from it and no OTP is sent; while an OTP is under way, no other is sent.',
  properties: [
    {
      displayName: 'Phone',
      name: 'phone',
      type: 'string',
      default: '',
      placeholder: 'e.g. 9000000001',
      description:
        'If filled in, it must be the phone of the credential: so nobody else who finds a form can have OTPs sent',
    },
    {
      displayName: 'Send OTP Again',
      name: 'sendOtpAgain',
      type: 'boolean',
      default: false,
      description: 'Whether to send one more OTP where one is under way. It voids the one before.',
    },
  ],
  async execute(item) {
    const { connection, credential } = await item.service();
    byOtpOnly(credential);
    const phone = item.optionalText('phone');
    if (phone !== undefined && lastDigits(phone) !== lastDigits(readSettings({ ...credential, otp: '' }).phone)) {
      throw new InputError('This is not the phone of the credential. No OTP was sent.', { parameter: 'phone' });
    }
    const result = await logInByHand(item.run.functions, '', item.flag('sendOtpAgain'));
    return [
      item.output({
        otp_sent: result === 'otp_sent',
        logged_in: result === 'logged_in',
        environment: connection.environment,
      }),
    ];
  },
};
