import { generateTotpSecret } from '../../../../client/session/account';
import { InputError } from '../../../../client/base/errors';
import { storeTotpSecret } from '../../../host/http';
import { collection } from '../../../shared/fields';
import type { ItemOperation } from '../../common/operation';

export const totpGenerate: ItemOperation = {
  name: 'TOTP: Generate Secret',
  notForAgents: true,
  action: 'Generate a TOTP secret',
  description:
    'Get a new TOTP secret and store it in the credential. The output does not contain it. TOTP stays off until you enable it.',
  properties: [
    collection('Options', 'options', [
      {
        displayName: 'Return QR Code',
        name: 'qrCode',
        type: 'boolean',
        default: false,
        description:
          'Whether to also return the QR code as a picture, to scan in an authenticator app. The picture contains the secret, and n8n saves it with the execution.',
      },
    ]),
  ],
  async execute(item) {
    const { transport, connection, credential } = await item.service();
    if (credential.loginMethod === 'totp') {
      throw new InputError('The credential logs in by TOTP: a new secret would end that. Nothing was sent.', {
        parameter: 'loginMethod',
        hint: 'Choose another login method in the credential first, and TOTP again once the new secret is enabled.',
      });
    }
    const { secret, image } = await generateTotpSecret(transport, item.run.signal);
    item.run.secrets.add(secret);
    await storeTotpSecret(item.run.functions, secret);
    const qr = item.group('options').flag('qrCode') ? image : undefined;
    const json = { secret_stored: true, has_qr: qr !== undefined, environment: connection.environment };
    return [
      qr === undefined
        ? item.output(json)
        : await item.file(json, { bytes: qr, fileName: 'totp-qr.png', mimeType: 'image/png' }, 'qr'),
    ];
  },
};
