import { InputError } from '../../../../client/base/errors';
import { readSettings } from '../../../../client/session/settings';
import { logInByHand } from '../../../host/http';
import type { ItemOperation } from '../../common/operation';
import { requireOtpLogin } from './requireOtpLogin';

const lastDigits = (phone: string): string => phone.replace(/\D/g, '').slice(-10);

export const requestOtp: ItemOperation = {
  name: 'Request OTP',
  notForAgents: true,
  action: 'Request an OTP',
  description:
    "Send an OTP to the credential's phone, for a login by OTP. No OTP is sent while the last login can still be renewed, or while an earlier OTP is waiting to be entered.",
  properties: [
    {
      displayName: 'Phone',
      name: 'phone',
      type: 'string',
      default: '',
      placeholder: 'e.g. 9000000001',
      description:
        "If filled in, it must be the credential's phone. This stops anyone else who finds your form from requesting OTPs.",
    },
    {
      displayName: 'Send OTP Again',
      name: 'sendOtpAgain',
      type: 'boolean',
      default: false,
      description: 'Whether to send another OTP while one is waiting to be entered. The earlier OTP stops working.',
    },
  ],
  async execute(item) {
    const { connection, credential } = await item.service();
    requireOtpLogin(credential);
    const phone = item.optionalText('phone');
    if (phone !== undefined && lastDigits(phone) !== lastDigits(readSettings({ ...credential, otp: '' }).phone)) {
      throw new InputError('Phone is not the number in the credential. No OTP was sent.', {
        parameter: 'phone',
        hint: 'Enter the number that the credential has, or leave the field empty.',
      });
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
