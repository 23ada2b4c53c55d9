/** The user and the machine that asks (specification: User info; wire-facts §2: `/userinfo`, Static IP). */
import { type NoParts, type OpenWord, read, TIMEOUT_MS } from './endpoint';

/** Specification: User info; wire-facts §2: `/userinfo`. */
export interface UserInfo {
  client_code?: string;
  env_info?: {
    /** Where the order stream is; '' on UAT (wire-facts §2). */
    order_service_ws_url?: string;
    /** The older stream, about to end. */
    user_ws_url?: string;
    /** Where market data is. */
    market_ws_url?: string;
  } | null;
  version_info?: { status?: OpenWord<'ACTIVE' | 'DEPRECATION_WARNING' | 'DEPRECATED'> } | null;
}

/** wire-facts §2: Static IP. */
export interface StaticIpReply {
  /** Whether the request came from a registered address. */
  is_matched?: boolean;
  current_ip_address?: string | null;
  primary_ip_address?: string | null;
  secondary_ip_address?: string | null;
}

/** Specification: User info; wire-facts §2: Static IP. */
export const userEndpoints = {
  userInfo: read<NoParts, UserInfo>('GET', '/userinfo'),
  /** Whether the session lives, asked without making a new one. */
  sessionCheck: read<NoParts, UserInfo>('GET', '/userinfo', { keepSession: true, timeoutMs: TIMEOUT_MS.short }),
  /** 400 "No IP addresses registered for user" is an answer. */
  validateIp: read<NoParts, StaticIpReply>('GET', '/ipaddress/validate'),
};
