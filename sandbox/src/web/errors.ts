/** A refusal that the service answers in words; `code` goes where the service has its error code. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly code = '',
    readonly more: Record<string, unknown> = {},
  ) {
    super(message);
  }
}

/** The body of an error (docs/service/errors.md#error-body). */
export function errorBody(
  serviceWord: string,
  error: Pick<ApiError, 'message' | 'code' | 'more'>,
): Record<string, unknown> {
  return { error: error.message, [`${serviceWord}_error_code`]: error.code, ...error.more };
}
