import { createSigner, createVerifier } from 'fast-jwt';

/** Purpose of a token: the two steps of an OTP login, the PIN step, and everything afterwards. */
export type TokenKind = 'temp' | 'auth' | 'session';

/** Content of a token; times are seconds since the epoch, as JWT has them. */
export interface TokenClaims {
  kind: TokenKind;
  /** User identifier. */
  sub: number;
  /** Number of the user's token of this kind; only the latest is good. */
  n: number;
  iat: number;
  exp: number;
}

/** A token of this sandbox has some 200 characters; a text of more than so many is none, and is not read. */
const MAX_TOKEN_LENGTH = 1_024;
/** Tokens whose claims are remembered at most. */
const REMEMBERED = 1_000;

/** Makes and reads the service's tokens: JWTs signed with a key of this sandbox. */
export class Tokens {
  private readonly signer: (claims: TokenClaims) => string;
  private readonly verifier: (token: string) => TokenClaims;
  /** Claims of tokens whose signature has been checked. */
  private readonly claimsByToken = new Map<string, TokenClaims>();

  constructor(key: string) {
    this.signer = createSigner({ key, algorithm: 'HS256', noTimestamp: true });
    this.verifier = createVerifier({ key, algorithms: ['HS256'], ignoreExpiration: true }) as (
      token: string,
    ) => TokenClaims;
  }

  sign(claims: TokenClaims): string {
    return this.signer(claims);
  }

  /** The claims of a token that this sandbox has signed; undefined for any other text. Whether it is still good is the reader's matter. */
  read(token: string, kind: TokenKind): TokenClaims | undefined {
    if (token.length > MAX_TOKEN_LENGTH) return undefined;
    const claims = this.claimsByToken.get(token) ?? this.verified(token);
    return claims?.kind === kind ? claims : undefined;
  }

  private verified(token: string): TokenClaims | undefined {
    try {
      const claims = this.verifier(token);
      if (this.claimsByToken.size >= REMEMBERED) this.claimsByToken.clear();
      this.claimsByToken.set(token, claims);
      return claims;
    } catch {
      return undefined;
    }
  }
}
