// Errors in the shape of the OpenAI API, so that its clients raise the exception that fits.

export type ApiErrorType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'not_found_error'
  | 'rate_limit_error'
  | 'server_error';

interface ApiErrorDetails {
  readonly type?: ApiErrorType;
  /** The field of the request. */
  readonly param?: string;
  readonly code?: string;
  /** Seconds after which another attempt may succeed. */
  readonly retryAfter?: number;
}

export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly status: number,
    message: string,
    readonly details: ApiErrorDetails = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** The body of the response. */
  get body(): unknown {
    const { type = 'invalid_request_error', param = null, code = null } = this.details;
    return { error: { message: this.message, type, param, code } };
  }
}

/** A fault of the request, in one of its fields. */
export const badRequest = (param: string, message: string, cause?: unknown): ApiError =>
  new ApiError(400, message, { param }, { cause });
