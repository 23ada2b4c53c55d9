import { createUniform } from '../shared/random';

export const REQUEST_ACTIONS = ['delay', 'status', 'drop_before', 'drop_after', 'truncate', 'malformed'] as const;
export const STREAM_ACTIONS = [
  'disconnect',
  'drop_frame',
  'duplicate_frame',
  'reorder',
  'truncate_frame',
  'garbage_frame',
  'invalid_token',
  'stall',
] as const;
export type RequestAction = (typeof REQUEST_ACTIONS)[number];
export type StreamAction = (typeof STREAM_ACTIONS)[number];

export interface FaultArgs {
  /** Real milliseconds: how long to delay or stall. */
  ms?: number;
  /** HTTP status and body. */
  status?: number;
  body?: string | Record<string, unknown>;
  /** Close code of a disconnect. */
  code?: number;
}

/** Something to go wrong on purpose. `*` in a path matches any text. */
export interface FaultRule {
  match: { method?: string; path?: string; stream?: boolean };
  action: RequestAction | StreamAction;
  args?: FaultArgs;
  /** Of each occasion; 1 when left out. */
  probability?: number;
  /** Occasions after which the rule is spent; without end when left out. */
  times?: number;
  /** Of the draws of the probability. */
  seed?: number;
  /** Number of another rule: this one begins once that one has been applied, and goes when that one goes. */
  after?: number;
}

export type Fault<Action extends string = RequestAction | StreamAction> = { action: Action; args: FaultArgs };

interface Armed extends FaultRule {
  id: number;
  used: number;
  draw: () => number;
}

/** The rules that are in force; the first that matches is applied. */
export class Faults {
  private rules: Armed[] = [];
  private id = 0;

  add(rule: FaultRule): FaultRule & { id: number; used: number } {
    const armed = { ...rule, id: ++this.id, used: 0, draw: createUniform(rule.seed ?? this.id) };
    this.rules.push(armed);
    return shown(armed);
  }

  list(): (FaultRule & { id: number; used: number })[] {
    return this.rules.map(shown);
  }

  /** True if there is any rule. */
  get any(): boolean {
    return this.rules.length > 0;
  }

  has(id: number): boolean {
    return this.rules.some((rule) => rule.id === id);
  }

  clear(): void {
    this.rules = [];
  }

  /** Takes one rule away, and those that begin after it; false where there is none with the id. */
  remove(id: number): boolean {
    if (!this.has(id)) return false;
    const followers = this.rules.filter(({ after }) => after === id);
    this.rules = this.rules.filter((rule) => rule.id !== id);
    for (const follower of followers) this.remove(follower.id);
    return true;
  }

  private hasBegun({ after }: FaultRule): boolean {
    return after === undefined || this.rules.some(({ id, used }) => id === after && used > 0);
  }

  /** The fault that a request meets. */
  request(method: string, path: string): Fault<RequestAction> | undefined {
    return this.next(
      REQUEST_ACTIONS,
      ({ match }) =>
        match.stream !== true && (match.method ?? method).toUpperCase() === method && matches(match.path ?? '*', path),
    );
  }

  /** The fault that an outgoing frame meets. */
  frame(): Fault<StreamAction> | undefined {
    return this.next(STREAM_ACTIONS, ({ match }) => match.stream === true);
  }

  private next<Action extends string>(
    actions: readonly Action[],
    fits: (rule: Armed) => boolean,
  ): Fault<Action> | undefined {
    for (const rule of this.rules) {
      const action = actions.find((candidate) => candidate === rule.action);
      if (action === undefined || rule.used >= (rule.times ?? Infinity) || !this.hasBegun(rule) || !fits(rule))
        continue;
      if (rule.draw() >= (rule.probability ?? 1)) continue;
      rule.used += 1;
      return { action, args: rule.args ?? {} };
    }
    return undefined;
  }
}

function shown({ draw: _draw, ...rule }: Armed): FaultRule & { id: number; used: number } {
  return rule;
}

function matches(pattern: string, path: string): boolean {
  const parts = pattern.split('*');
  if (parts.length === 1) return pattern === path;
  const first = parts[0] ?? '';
  const last = parts.at(-1) ?? '';
  if (!path.startsWith(first) || !path.endsWith(last) || path.length < first.length + last.length) return false;
  let from = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = path.indexOf(part, from);
    if (found < 0) return false;
    from = found + part.length;
  }
  return from <= path.length - last.length;
}
