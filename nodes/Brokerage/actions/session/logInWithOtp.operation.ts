import { requireOtp } from '../../../../client/session/settings';
import { logInByHand } from '../../../host/http';
import type { ItemOperation } from '../../common/operation';
import { requireOtpLogin } from './requireOtpLogin';

export const logInWithOtp: ItemOperation = {
  name: 'Verify OTP',
  notForAgents: true,
  action: 'Verify an OTP',
  description:
    'Log in with the OTP from "Request OTP". The session is stored in the credential for every workflow that uses it.',
  properties: [
    {
      displayName: 'OTP',
      name: 'otp',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      description: 'The digits from the text message. Each OTP is sent to the service only once.',
    },
  ],
  async execute(item) {
    const { connection, credential } = await item.service();
    requireOtpLogin(credential);
    const otp = requireOtp(item.text('otp', { longest: 20 }));
    item.run.secrets.add(otp);
    const result = await logInByHand(item.run.functions, otp);
    return [item.output({ logged_in: result === 'logged_in', environment: connection.environment })];
  },
};
