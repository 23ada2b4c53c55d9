import type { TriggerContext } from '../context/triggerContext';

/** State of the exits that a trigger keeps, for one choice of settings. */
interface StoredExit<State> {
  /** The account and the settings: the state of others is not taken over. */
  purpose: string;
  state: State;
}

/** Data that n8n stores for a trigger. */
interface StaticData<State> {
  heldExits?: StoredExit<State>;
  strategyExits?: StoredExit<State>;
}

/**
 * The states of exits that triggers keep, under one name in n8n's static data. n8n stores that data only with an event, so the process
 * remembers the last state of each trigger that has ended.
 */
export class StoredExits<State extends object> {
  readonly #name: keyof StaticData<State>;
  readonly #remembered = new Map<string, StoredExit<State>>();

  constructor(name: keyof StaticData<State>) {
    this.#name = name;
  }

  /**
   * Returns the stored state, which the caller changes in place: `initial` if the user has just published the workflow, or the purpose is
   * another. `remember` is called after the trigger's last step.
   */
  open(context: TriggerContext, purpose: string, initial: State): { state: State; remember: () => void } {
    const data: StaticData<State> = context.n8n.getWorkflowStaticData('node');
    const past = context.isAfresh ? undefined : (this.#remembered.get(context.id) ?? data[this.#name]);
    const stored = past?.purpose === purpose ? copyOf(past) : { purpose, state: initial };
    data[this.#name] = stored;
    return { state: stored.state, remember: () => this.#remembered.set(context.id, copyOf(stored)) };
  }
}

/** Returns a copy by way of JSON, as n8n stores it. What n8n has read from its database are proxies, which `structuredClone` refuses. */
const copyOf = <T>(stored: T): T => JSON.parse(JSON.stringify(stored)) as T;
