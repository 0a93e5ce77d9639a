// The status page of VLC's web interface on a guest.

/** The password of VLC in OSWorld's images. */
const AUTHORIZATION = `Basic ${Buffer.from(':password').toString('base64')}`;
const TIMEOUT_MS = 15_000;

/** Undefined if VLC does not run. */
export async function vlcStatus(url: string): Promise<Uint8Array | undefined> {
  const response = await fetch(`${url}/requests/status.xml`, {
    headers: { authorization: AUTHORIZATION },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => undefined);
  return response?.ok ? new Uint8Array(await response.arrayBuffer()) : undefined;
}
