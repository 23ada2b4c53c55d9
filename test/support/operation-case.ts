/** The form of a case: one operation of the node for the tests that try all of them. */
import type { INodeParameters } from 'n8n-workflow';

/** Ids, symbols and a price (rupees) that the cases need, made before them. */
export interface PreparedValues {
  orderId: string;
  basketId: string;
  calls: string[];
  price: number;
}

/** One operation with parameters that fit the sandbox. */
export interface OperationCase {
  /** Parameters besides resource and operation. */
  parameters: () => INodeParameters;
  /** Fields of the first item. */
  gives: object;
  /** The endpoint at which the service is made to fail; left out where nothing is asked. */
  fails?: string;
  /** True if the operation also changes something that cannot be done twice. */
  once?: true;
  binary?: string;
}
