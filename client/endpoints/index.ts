/**
 * Every endpoint of the service in one table: path, method, permitted retries, request and reply. Each group of endpoints has its own file,
 * which names the section of the specification.
 */
import { basketEndpoints } from './baskets';
import { bhavcopyEndpoints } from './bhavcopy';
import { candleEndpoints } from './candles';
import { chainMomentEndpoints } from './chain-moments';
import { companyEndpoints } from './companies';
import type { Endpoint } from './endpoint';
import { instrumentEndpoints } from './instruments';
import { optionChainEndpoints } from './option-chains';
import { intentOrderEndpoints } from './intent-orders';
import { intentPortfolioEndpoints } from './intent-portfolio';
import { orderEndpoints } from './orders';
import { portfolioEndpoints } from './portfolio';
import { quoteEndpoints } from './quotes';
import { reportEndpoints } from './reports';
import { sessionEndpoints } from './session';
import { totpEndpoints } from './totp';
import { userEndpoints } from './user';

export type { Endpoint, RateBucket, RetryRule } from './endpoint';

/** Endpoints by the client's name for each. */
export const endpoints = {
  ...sessionEndpoints,
  ...totpEndpoints,
  ...userEndpoints,
  ...instrumentEndpoints,
  ...quoteEndpoints,
  ...optionChainEndpoints,
  ...candleEndpoints,
  ...bhavcopyEndpoints,
  ...chainMomentEndpoints,
  ...companyEndpoints,
  ...orderEndpoints,
  ...intentOrderEndpoints,
  ...basketEndpoints,
  ...portfolioEndpoints,
  ...intentPortfolioEndpoints,
  ...reportEndpoints,
} satisfies Record<string, Endpoint>;
