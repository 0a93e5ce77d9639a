// Replies of the guest API. OSWorld's server reports results as JSON, and confirmations and some errors as text.

export interface GuestAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string | Uint8Array;
}

export const jsonAnswer = (value: unknown, status = 200): GuestAnswer => ({
  ...{ status, type: 'application/json' },
  body: JSON.stringify(value),
});

/** Plain text: a browser must not run what a client sent. */
export const textAnswer = (body: string, status = 200): GuestAnswer => ({
  ...{ status, type: 'text/plain; charset=utf-8' },
  body,
});

export const bytesAnswer = (body: Uint8Array, type: string): GuestAnswer => ({ status: 200, type, body });

/** As OSWorld's server reports an exception. */
export const errorAnswer = (message: string, status = 500): GuestAnswer =>
  jsonAnswer({ status: 'error', message }, status);
