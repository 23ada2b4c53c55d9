/** Values that a backtest puts into the first Edit Fields step of a workflow: `--set quantity=1,2,3 --set stop=0.5..2:0.5`. */
import { OptionError } from '../shared/option-error';
import type { Workflow, WorkflowNode } from './workflow';

export type SettingValue = number | string | boolean;

/** A field, and the values that are tried for it, as they were written. */
export interface VariedSetting {
  name: string;
  values: string[];
}

/** A value for each field, unchanged from the command line. */
export type SettingChoice = Readonly<Record<string, string>>;

const EDIT_FIELDS = 'n8n-nodes-base.set';
/** A backtest of all choices takes a minute or more for each. */
const MAX_CHOICES = 1_000;
const MAX_FIELDS = 6;
const MAX_TEXT = 60;
const RANGE = /^(-?\d+(?:\.\d+)?)\.\.(-?\d+(?:\.\d+)?)(?::(\d+(?:\.\d+)?))?$/;
const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** A field of an Edit Fields step. */
interface Assignment {
  name: string;
  type: string;
  value: unknown;
}

/** Reads all `--set` of a command line. @throws OptionError that says which is wrong and how it is written */
export function settingsOf(given: readonly string[]): VariedSetting[] {
  const settings = given.map(settingOf);
  const names = new Set<string>();
  for (const { name } of settings) {
    if (names.has(name)) throw new OptionError(`--set ${name} is there twice: give all its values in one.`);
    names.add(name);
  }
  if (settings.length > MAX_FIELDS)
    throw new OptionError(`--set is there ${settings.length} times, at most ${MAX_FIELDS} may be.`);
  const count = settings.reduce((all, { values }) => all * values.length, 1);
  if (count > MAX_CHOICES)
    throw new OptionError(
      `--set makes ${count} choices of values, at most ${MAX_CHOICES} can be run: give fewer values.`,
    );
  return settings;
}

function settingOf(text: string): VariedSetting {
  const at = text.indexOf('=');
  const [name, list] = [text.slice(0, Math.max(at, 0)).trim(), text.slice(at + 1)];
  if (at < 1 || name === '' || name.length > MAX_TEXT || list.trim() === '')
    throw new OptionError(
      `--set must be a field and its values, such as quantity=1,2,3 or stop=0.5..2:0.5, not "${text.slice(0, 80)}".`,
    );
  const values = list.split(',').flatMap((part) => valuesOf(name, part.trim()));
  const twice = values.find((value, index) => values.indexOf(value) !== index);
  if (twice !== undefined) throw new OptionError(`--set ${name} has the value ${twice} twice: leave one out.`);
  return { name, values };
}

function valuesOf(name: string, part: string): string[] {
  if (part === '' || part.length > MAX_TEXT)
    throw new OptionError(`--set ${name}: each value must have 1 to ${MAX_TEXT} characters.`);
  const [, from, to, step = '1'] = RANGE.exec(part) ?? [];
  if (from === undefined || to === undefined) return [part];
  const decimals = Math.max(...[from, to, step].map((number) => (number.split('.')[1] ?? '').length));
  const unit = 10 ** decimals;
  const [first, last, by] = [from, to, step].map((number) => Math.round(Number(number) * unit)) as [
    number,
    number,
    number,
  ];
  if (by === 0 || first > last || (last - first) / by >= MAX_CHOICES)
    throw new OptionError(
      `--set ${name}=${part}: a range goes up by its step in fewer than ${MAX_CHOICES} steps, such as 0.5..2:0.5.`,
    );
  const count = Math.floor((last - first) / by) + 1;
  return Array.from({ length: count }, (_, index) => String((first + index * by) / unit));
}

/** Each choice of one value for each field; the last field changes fastest. */
export function choicesOf(settings: readonly VariedSetting[]): SettingChoice[] {
  return settings.reduce<SettingChoice[]>(
    (choices, { name, values }) => choices.flatMap((choice) => values.map((value) => ({ ...choice, [name]: value }))),
    [{}],
  );
}

/** "quantity=1, stop=0.5" */
export const choiceText = (choice: SettingChoice): string =>
  Object.entries(choice)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');

/**
 * The workflow with these values in its first Edit Fields step, which is the nearest to the trigger.
 * @param isStart tells the nodes that start the workflow
 * @throws OptionError where there is no such step, no such field, or a value is not of the field's type
 */
export function withSettings(
  workflow: Workflow,
  choice: SettingChoice,
  isStart: (node: WorkflowNode) => boolean,
): Workflow {
  if (Object.keys(choice).length === 0) return workflow;
  const step = firstEditFields(workflow, isStart);
  if (step === undefined)
    throw new OptionError(
      '--set needs an Edit Fields step behind the trigger, with a field for each value that is to be set: add one, and let later steps use its fields.',
    );
  const stepAssignments = assignmentsOf(step);
  const names = stepAssignments.map(({ name }) => name);
  for (const name of Object.keys(choice))
    if (!names.includes(name))
      throw new OptionError(
        `--set ${name}: "${step.name}", the first Edit Fields step, has no field "${name}"; it has ${names.join(', ') || 'none (its fields must be mapped by hand, not written as JSON)'}.`,
      );
  const assignments = stepAssignments.map((field) => {
    const value = choice[field.name];
    return value === undefined ? field : { ...field, value: typed(field, value) };
  });
  const changed = { ...step, parameters: { ...step.parameters, assignments: { assignments } } };
  return { ...workflow, nodes: workflow.nodes.map((node) => (node === step ? changed : node)) };
}

function assignmentsOf({ parameters }: WorkflowNode): Assignment[] {
  const { assignments } = (parameters?.['assignments'] ?? {}) as { assignments?: unknown };
  return Array.isArray(assignments) ? (assignments as Assignment[]) : [];
}

function typed({ name, type }: Assignment, value: string): SettingValue {
  if (type === 'number') {
    if (NUMBER.test(value)) return Number(value);
    throw new OptionError(`--set ${name}=${value}: the field is a number.`);
  }
  if (type === 'boolean') {
    if (value === 'true' || value === 'false') return value === 'true';
    throw new OptionError(`--set ${name}=${value}: the field is true or false.`);
  }
  if (type === 'string') return value;
  throw new OptionError(
    `--set ${name}: the field is of the type ${type}; only numbers, texts, true and false can be set.`,
  );
}

/** The Edit Fields step that fewest steps part from a start. */
function firstEditFields(workflow: Workflow, isStart: (node: WorkflowNode) => boolean): WorkflowNode | undefined {
  const nodes = new Map(workflow.nodes.filter(({ disabled }) => disabled !== true).map((node) => [node.name, node]));
  const connections = workflow.connections as Record<string, { main?: ({ node: string }[] | null)[] } | undefined>;
  const seen = new Set([...nodes.values()].filter(isStart).map(({ name }) => name));
  // A set goes on with what is added to it on the way.
  for (const name of seen) {
    const node = nodes.get(name);
    if (node?.type === EDIT_FIELDS) return node;
    for (const output of connections[name]?.main ?? []) for (const next of output ?? []) seen.add(next.node);
  }
  return undefined;
}
