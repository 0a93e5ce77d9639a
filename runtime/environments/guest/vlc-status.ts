// The status page of VLC's web interface on a guest.

import { sentenceOf } from '../../core/errors.ts';
import { BoundaryError } from '../../core/failure.ts';
import { isUnreachable } from './is-unreachable.ts';

/** The password of VLC in OSWorld's images. */
const PASSWORD = 'password';
const AUTHORIZATION = `Basic ${Buffer.from(`:${PASSWORD}`).toString('base64')}`;
const TIMEOUT_MS = 15_000;
const UNAUTHORIZED = 401;

/** Undefined if VLC does not run. Rejects with a BoundaryError if the guest cannot be reached, or VLC has another password. */
export async function vlcStatus(url: string): Promise<Uint8Array | undefined> {
  const failure = (message: string): BoundaryError =>
    new BoundaryError({ boundary: 'environment', thing: `VLC at ${url}`, message });
  const response = await fetch(`${url}/requests/status.xml`, {
    headers: { authorization: AUTHORIZATION },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    if (isUnreachable(error))
      throw failure(`has no reply: ${sentenceOf(error)} Check the guest and its vlcPort.`);
    return undefined;
  });
  if (response?.status === UNAUTHORIZED)
    throw failure(
      `has another password than '${PASSWORD}', that of OSWorld's images. Set it in VLC's web interface.`,
    );
  return response?.ok ? new Uint8Array(await response.arrayBuffer()) : undefined;
}
