/** The TOTP setting of an account (docs/service/login-and-session.md#login-requests, docs/service/login-and-session.md#totp-setting). */
import { type Acknowledgement, actionEndpoint, type NoParts } from './endpoint';

/** See docs/service/login-and-session.md#totp-setting. */
export interface TotpSecretReply {
  data: {
    /** A secret: base32, for an authenticator app. */
    secret_key: string;
    /** A secret: the QR code of it, a PNG as a data URI (base64). */
    qr_image?: string;
  };
  message?: string;
}

/** See docs/service/login-and-session.md#login-requests. */
export const totpEndpoints = {
  /** Makes a new secret. TOTP stays off until it is enabled. */
  totpGenerateSecret: actionEndpoint<NoParts, TotpSecretReply>('GET', '/totp/generate-secret'),
  /** A 401 can be about the code or the MPIN, which must not be sent again: so it makes no new login. */
  totpEnable: actionEndpoint<{ body: { mpin: string; totp: string } }, Acknowledgement>('POST', '/totp/enable', {
    keepSession: true,
    proves: 'names nothing',
  }),
  /** A 401 can be about the MPIN: see `totpEnable`. */
  totpDisable: actionEndpoint<{ body: { mpin: string } }, Acknowledgement>('POST', '/totp/disable', {
    keepSession: true,
    proves: 'names nothing',
  }),
};
