// The cause of a failed request in a finding, which has advice of its own.

import { messageOf } from '../core/errors.ts';
import { EndpointError } from '../endpoints/failure.ts';

/** Without a full stop. */
export function causeOf(error: unknown): string {
  const text = error instanceof EndpointError ? (error.reported ?? error.failure.message) : messageOf(error);
  return text.replace(/\.$/, '');
}
