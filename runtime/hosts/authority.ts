// The authority of a server's certificate, recognised by its fingerprint: a host that joins learns the fingerprint from the address and gets
// the certificate from the server itself.

import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { connect, type DetailedPeerCertificate, type TLSSocket } from 'node:tls';
import type { Clock } from '../core/clock.ts';
import { withDeadline } from '../core/deadline.ts';
import { withoutBrackets } from './join-address.ts';

/** The SHA-256 of a certificate in PEM, in hexadecimal digits. */
export const fingerprintOf = (pem: string): string => plain(new X509Certificate(pem).fingerprint256);

const plain = (fingerprint: string): string => fingerprint.replaceAll(':', '').toLowerCase();

/** The certificates that a server sends: hosts look for the authority in them, and files of certificates usually lack it. */
export const withAuthority = (certificate: string, ca: string | undefined): string =>
  ca === undefined || certificate.includes(ca.trim()) ? certificate : `${certificate.trimEnd()}\n${ca}`;

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * The certificate of the authority, as PEM. Rejects with a RangeError if the server has none with this fingerprint. Nothing is sent to the server
 * before that.
 */
export async function authorityOf(
  url: string,
  fingerprint: string,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<string> {
  const { hostname, port } = new URL(url);
  // Only the fingerprint counts here. Every later connection checks the certificate against this authority, also its name.
  const host = withoutBrackets(hostname);
  const socket = connect({
    ...{ host, port: Number(port || 443), rejectUnauthorized: false },
    // A proxy with several certificates chooses by it. It must not be an address.
    ...(isIP(host) === 0 && { servername: host }),
  });
  const certificates = new Promise<readonly DetailedPeerCertificate[]>((resolve, reject) => {
    socket.once('secureConnect', () => resolve(chainOf(socket)));
    socket.on('error', reject);
  });
  try {
    const chain = await withDeadline(certificates, {
      ...{ what: `The connection to ${url}`, ms: CONNECT_TIMEOUT_MS, clock, signal },
    });
    const found = chain.find(({ fingerprint256 }) => plain(fingerprint256) === fingerprint);
    if (found !== undefined) return new X509Certificate(found.raw).toString();
  } finally {
    socket.destroy();
  }
  throw new RangeError(
    `The server at ${url} does not have the certificate that the address names. Copy the newest address of the run. If it stays so, another machine answers there: do not join.`,
  );
}

/** From the server's own certificate upwards. A certificate that signed itself is its own issuer. */
function chainOf(socket: TLSSocket): readonly DetailedPeerCertificate[] {
  const chain: DetailedPeerCertificate[] = [];
  let next: DetailedPeerCertificate | undefined = socket.getPeerCertificate(true);
  while (next?.fingerprint256 !== undefined && !chain.includes(next)) {
    chain.push(next);
    next = next.issuerCertificate;
  }
  return chain;
}
