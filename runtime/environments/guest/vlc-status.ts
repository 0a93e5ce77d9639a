// The status page of VLC's web interface on a guest.

import { causeOf, sentenceOf } from '../../core/errors.ts';
import { BoundaryError } from '../../core/failure.ts';
import { boundedBody } from '../bounded-body.ts';
import { isProxyError, isUnreachable } from './is-unreachable.ts';

/** The password of VLC in OSWorld's images. */
const PASSWORD = 'password';
const AUTHORIZATION = `Basic ${Buffer.from(`:${PASSWORD}`).toString('base64')}`;
const TIMEOUT_MS = 15_000;
const UNAUTHORIZED = 401;
/** The page has a few KB. Another program at the port may send without end. */
const MAX_STATUS_BYTES = 2 ** 20;

/** Undefined if VLC does not run. Rejects with a BoundaryError if the guest cannot be reached, or VLC has another password. */
export async function vlcStatus(url: string): Promise<Uint8Array | undefined> {
  const failure = (message: string): BoundaryError =>
    new BoundaryError({ boundary: 'environment', thing: `VLC at ${url}`, message });
  try {
    const response = await fetch(`${url}/requests/status.xml`, {
      headers: { authorization: AUTHORIZATION },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status === UNAUTHORIZED)
      throw failure(
        `has another password than '${PASSWORD}', that of OSWorld's images. Set it in VLC's web interface.`,
      );
    if (isProxyError(response.status))
      throw failure(`answered ${response.status} from a proxy. Check the guest and its vlcPort.`);
    return response.ok ? await boundedBody(response, MAX_STATUS_BYTES) : undefined;
  } catch (error) {
    if (error instanceof BoundaryError) throw error;
    if (isUnreachable(error))
      throw failure(`has no reply: ${sentenceOf(causeOf(error))} Check the guest and its vlcPort.`);
    return undefined;
  }
}
