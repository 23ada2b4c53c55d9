import type { IBinaryKeyData } from 'n8n-workflow';
import { generateTotpSecret } from '../../../../client/session/account';
import { collection } from '../../common/fields';
import type { ItemOperation } from '../../common/operation';

export const totpGenerate: ItemOperation = {
  name: 'TOTP: Generate Secret',
  notForAgents: true,
  action: 'Generate a TOTP secret',
  description:
    'Get a new TOTP secret with a QR code to scan in an authenticator app. TOTP stays off until you enable it.',
  properties: [
    collection('Options', 'options', [
      {
        displayName: 'Put Secret in a File',
        name: 'secretFile',
        type: 'boolean',
        default: true,
        description:
          'Whether to also return the secret as a text file. The editor hides it in the JSON output, but the next nodes receive it.',
      },
    ]),
  ],
  async execute(item) {
    const { transport, connection } = await item.service();
    const { secret, image } = await generateTotpSecret(transport, item.run.signal);
    const { prepareBinaryData } = item.run.functions.helpers;
    const binary: IBinaryKeyData = {};
    if (image !== undefined) binary.qr = await prepareBinaryData(Buffer.from(image), 'totp-qr.png', 'image/png');
    if (item.group('options').flag('secretFile'))
      binary.secret = await prepareBinaryData(Buffer.from(secret), 'totp-secret.txt', 'text/plain');
    return [
      item.output({ secret_key: secret, has_qr: image !== undefined, environment: connection.environment }, binary),
    ];
  },
};
