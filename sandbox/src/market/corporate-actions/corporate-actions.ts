import type { CorporateAction, CorporateActionsState, EffectiveAction } from '../../shared/corporate-actions';

const NONE: readonly CorporateAction[] = [];

/** The corporate actions of a world: those announced, and those that have taken effect. */
export class CorporateActions {
  private actions: CorporateAction[];
  private last: number;
  private readonly byRefId = new Map<number, CorporateAction[]>();
  /** Counts changes, for whoever keeps what follows from them. */
  version = 0;

  /** @param from what `state()` of another instance returned: it goes on from there */
  constructor(from: CorporateActionsState = { actions: [], last: 0 }) {
    this.actions = from.actions.map((action) => ({ ...action }));
    this.last = from.last;
    this.index();
  }

  get empty(): boolean {
    return this.actions.length === 0;
  }

  /** All of them, by ex-date. */
  all(): readonly CorporateAction[] {
    return this.actions;
  }

  /** Those of a share, by the ref_id it has on any exchange, by ex-date. */
  of(refId: number): readonly CorporateAction[] {
    return this.byRefId.get(refId) ?? NONE;
  }

  /** Those of a share that have taken effect by an instant (milliseconds), by ex-date. */
  effective(refId: number, at: number): EffectiveAction[] {
    return this.of(refId).filter(
      (action): action is EffectiveAction => action.close !== undefined && action.from <= at,
    );
  }

  /** Dividends that are announced at an instant (milliseconds), take effect later and are priced in. */
  pricedIn(refId: number, at: number): CorporateAction[] {
    return this.of(refId).filter(
      ({ dividend, extraordinary, announced, close, from }) =>
        dividend > 0 && !extraordinary && announced <= at && (at < from || close === undefined),
    );
  }

  /** Takes one down; it takes effect on its ex-date. */
  announce(action: Omit<CorporateAction, 'id'>): CorporateAction {
    const announced = { ...action, id: ++this.last };
    this.actions = [...this.actions, announced].sort((a, b) => a.from - b.from || a.id - b.id);
    this.index();
    return announced;
  }

  /** Those that take effect at a midnight. */
  dueAt(midnight: number): CorporateAction[] {
    return this.actions.filter(({ from, close }) => from === midnight && close === undefined);
  }

  /** Lets one take effect. @param close of the share before its ex-date, paise */
  takeEffect(id: number, close: number): EffectiveAction {
    const knownAction = this.actions.find((action) => action.id === id);
    if (knownAction === undefined) throw new Error(`there is no corporate action ${id}`);
    knownAction.close = close;
    this.version += 1;
    return { ...knownAction, close };
  }

  state(): CorporateActionsState {
    return { actions: this.actions.map((action) => ({ ...action })), last: this.last };
  }

  private index(): void {
    this.version += 1;
    this.byRefId.clear();
    for (const action of this.actions)
      for (const refId of action.refIds) this.byRefId.set(refId, [...(this.byRefId.get(refId) ?? []), action]);
  }
}
