/**
 * Checks, before the first order of the day, that this machine may place orders for an account
 * (docs/service/login-and-session.md#static-ip).
 */
import { attempt } from '../../attempt';
import { InputError, SessionError, type BrokerageError } from '../../base/errors';
import { REMEDY_REGISTER_IP } from '../../refusal-remedies';
import { checkStaticIp } from '../../session/account';
import type { Transport } from '../../transport';
import { istDate } from '../../values/time';

/** A passed check is not repeated on the same day; one instance for the whole process. */
export class StaticIpChecks {
  private readonly matched = new Map<string, string>();

  /**
   * @param scope the account.
   * @throws InputError when the service says that orders must come from another address. Where it cannot be asked, or no address is
   *   registered, the order goes on: the service decides.
   */
  async require(scope: string, transport: Transport, signal?: AbortSignal): Promise<void> {
    const today = istDate(transport.clock.now());
    if (this.matched.get(scope) === today) return;
    const requested = await attempt(checkStaticIp(transport, signal));
    signal?.throwIfAborted();
    if (!requested.ok) {
      if (requested.error instanceof SessionError) throw requested.error;
      return;
    }
    const { is_registered, is_matched, current_ip_address, primary_ip_address, secondary_ip_address } = requested.value;
    if (is_registered && !is_matched) {
      const registered = [primary_ip_address, secondary_ip_address].filter((item) => item !== null);
      throw refusal(current_ip_address ?? 'another address', registered);
    }
    this.matched.set(scope, today);
  }
}

function refusal(current: string, registered: readonly string[]): BrokerageError {
  const registeredText = registered.length === 0 ? '' : ` Registered: ${registered.join(' and ')}.`;
  return new InputError(
    `The order was not sent: n8n reaches the broker from ${current}, which is not registered for this account.${registeredText}`,
    {
      parameter: 'checkStaticIp',
      hint: `${REMEDY_REGISTER_IP} Where your broker takes orders from anywhere, switch off "Check Static IP" in the credential.`,
    },
  );
}
