import {
  ExecutionBaseError,
  NodeApiError,
  NodeOperationError,
  type IDataObject,
  type INode,
  type INodeProperties,
} from 'n8n-workflow';
import { BrokerageError, ServiceError } from '../../client/base/errors';
import { withContractNames } from '../../client/instruments/contract-name';
import { withoutSecrets } from '../../client/values/redact';
import { BrokerageApi } from '../../credentials/BrokerageApi.credentials';
import { CREDENTIAL_TYPE } from '../host/http';

/** Location of an error in a workflow. */
export interface ErrorPlace {
  /** Index of the input item; undefined if all items were taken together. */
  itemIndex?: number;
  /** The input item, to say why an expression finds nothing in it. */
  item?: IDataObject;
  /** The parameters of the operation, to name one as the person sees it. */
  properties?: INodeProperties[];
  /** The market's day, YYYY-MM-DD: contracts of another year are named with it. */
  today?: string;
  /** Texts to mask in the error, in whatever words the service returned them. */
  secrets?: Iterable<string>;
}

/** Labels that were found, by the properties of an operation: each field is read for each item. */
const knownLabels = new WeakMap<INodeProperties[], Map<string, string>>();

/** The label of a parameter, by its internal name; inside collections too. */
export function labelOf(properties: INodeProperties[], name: string): string | undefined {
  const labels = knownLabels.get(properties) ?? new Map<string, string>();
  const label = labels.get(name) ?? labelIn(properties, name);
  if (label !== undefined) knownLabels.set(properties, labels.set(name, label));
  return label;
}

function labelIn(properties: INodeProperties[], name: string): string | undefined {
  for (const property of properties) {
    if (property.name === name) return property.displayName;
    for (const option of property.options ?? []) {
      const nested = 'values' in option ? option.values : 'type' in option ? [option] : [];
      const found = labelIn(nested, name);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

const { properties: credentialProperties } = new BrokerageApi();

/** The parameter as the person sees it: of the operation, or of the credential; undefined if no panel has it. */
function nameOf(parameter: string, properties: INodeProperties[]): string | undefined {
  const own = labelOf(properties, parameter);
  if (own !== undefined) return own;
  const ofCredential = labelOf(credentialProperties, parameter);
  return ofCredential === undefined ? undefined : `${ofCredential} of the credential`;
}

/** Returns the value of a parameter as the node holds it, expression and all; in collections too. */
function heldIn(parameters: object, name: string): unknown {
  for (const [key, value] of Object.entries(parameters) as [string, unknown][]) {
    if (key === name) return value;
    const nested = typeof value === 'object' && value !== null ? heldIn(value, name) : undefined;
    if (nested !== undefined) return nested;
  }
  return undefined;
}

/** Returns why a field of a webhook's body is empty where the sender wrote its JSON as text; undefined for anything else. */
export function textBodyHint(parameters: object, name: string, item: IDataObject | undefined): string | undefined {
  if (typeof item?.body !== 'string') return undefined;
  const [, field] = /\$json\.body\??\.(\w+)/.exec(JSON.stringify(heldIn(parameters, name)) ?? '') ?? [];
  if (field === undefined || field === 'parseJson') return undefined;
  return `The body of this alert came as text, so $json.body.${field} is empty. If the text is JSON, read it with {{ $json.body.parseJson().${field} }}.`;
}

/**
 * The one place where an error of the client becomes an error of n8n: the message says what happened, the description
 * what to do, with the parameter and the item. Nothing of the request is kept.
 */
export function nodeError(node: INode, error: unknown, place: ErrorPlace = {}): ExecutionBaseError {
  const { itemIndex, today = '' } = place;
  if (error instanceof BrokerageError) {
    const parameter = error.parameter === undefined ? undefined : nameOf(error.parameter, place.properties ?? []);
    const credential = node.credentials?.[CREDENTIAL_TYPE]?.name;
    const hint =
      (error.parameter === undefined ? undefined : textBodyHint(node.parameters, error.parameter, place.item)) ??
      error.hint;
    const said = (text: string): string => withoutSecrets(withContractNames(text, today), place.secrets ?? []);
    const words = [
      hint === undefined ? '' : withContractNames(hint, today),
      error instanceof ServiceError && error.serviceText !== '' && !error.message.includes(error.serviceText)
        ? `The service said: ${error.serviceText}`
        : '',
      [
        parameter === undefined ? '' : `Parameter: ${parameter}`,
        itemIndex === undefined ? '' : `Item: ${itemIndex}`,
        // Of several accounts in one n8n it says which.
        credential === undefined ? '' : `Credential: ${credential}`,
      ]
        .filter(Boolean)
        .join(', '),
    ]
      .filter(Boolean)
      .join('\n');
    const description = withoutSecrets(words, place.secrets ?? []);
    const message = said(error.message);
    const made =
      error instanceof ServiceError
        ? new NodeApiError(node, { message }, { message, description, httpCode: String(error.status), itemIndex })
        : new NodeOperationError(node, message, { description, itemIndex });
    if (error.parameter !== undefined) made.context.parameter = error.parameter;
    if (hint) made.context.hint = said(hint);
    return made;
  }
  if (error instanceof ExecutionBaseError) {
    if (itemIndex !== undefined) error.context.itemIndex ??= itemIndex;
    return error;
  }
  return new NodeOperationError(node, error instanceof Error ? error : String(error), { itemIndex });
}
