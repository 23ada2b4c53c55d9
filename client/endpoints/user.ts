/** The user and the machine that asks (docs/service/login-and-session.md#user-info, docs/service/login-and-session.md#static-ip). */
import { type NoParts, type OpenEnumWord, readEndpoint, TIMEOUT_MS } from './endpoint';

/** See docs/service/login-and-session.md#user-info. */
export interface UserInfo {
  client_code?: string;
  env_info?: {
    /** Address of the order stream; '' on UAT (docs/service/login-and-session.md#user-info). */
    order_service_ws_url?: string;
    /** The older stream, about to end. */
    user_ws_url?: string;
    /** Address of the market-data stream. */
    market_ws_url?: string;
  } | null;
  version_info?: { status?: OpenEnumWord<'ACTIVE' | 'DEPRECATION_WARNING' | 'DEPRECATED'> } | null;
}

/** See docs/service/login-and-session.md#static-ip. */
export interface StaticIpReply {
  /** True if the request came from a registered address. */
  is_matched?: boolean;
  current_ip_address?: string | null;
  primary_ip_address?: string | null;
  secondary_ip_address?: string | null;
}

/** See docs/service/login-and-session.md#user-info, docs/service/login-and-session.md#static-ip. */
export const userEndpoints = {
  userInfo: readEndpoint<NoParts, UserInfo>('GET', '/userinfo'),
  /** Checks whether the session is valid, without starting a new one. */
  sessionCheck: readEndpoint<NoParts, UserInfo>('GET', '/userinfo', { keepSession: true, timeoutMs: TIMEOUT_MS.short }),
  /** 400 "No IP addresses registered for user" is an answer. */
  validateIp: readEndpoint<NoParts, StaticIpReply>('GET', '/ipaddress/validate'),
};
