// Explains why a joining host cannot talk to the daemon: a wrong address has other remedies than a daemon that is away. Pure.

import { messageOf, sentenceOf } from '../core/errors.ts';
import { withoutBrackets } from './join-address.ts';

/** Of an authority that this machine does not know. */
const UNTRUSTED: ReadonlySet<unknown> = new Set([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]);

/** The clocks of the two machines differ, or the certificate is old. */
const OUT_OF_TIME: ReadonlySet<unknown> = new Set(['CERT_NOT_YET_VALID', 'CERT_HAS_EXPIRED']);

/** The server has no TLS: codes of a request, and of the connection that looks for the authority. */
const NO_TLS: ReadonlySet<unknown> = new Set(['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER']);

/** `error`: that of the connection. */
export function explainUnreachable(url: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const isEncrypted = url.startsWith('https://');
  if (UNTRUSTED.has(code))
    return `The certificate of ${url} is signed by an authority that this machine does not know (${messageOf(error)}). Copy the whole address: the part behind its last '.' names the authority.`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `The certificate of ${url} is for other names (${messageOf(error)}). Start 'dartboard up' with '--names ${withoutBrackets(new URL(url).hostname)}' on the daemon's machine, then resume the run.`;
  if (OUT_OF_TIME.has(code))
    return `The certificate of ${url} is not valid now (${messageOf(error)}). Set the clocks of both machines, or start 'dartboard up' on the daemon's machine again, then resume the run.`;
  if (NO_TLS.has(code) && isEncrypted)
    return `The server at ${url} does not answer with TLS. Check the port: the broker has another one. Or begin the address with http:// if the training shows it so.`;
  if (code === 'ECONNRESET' && !isEncrypted)
    return `The server at ${url} closed the connection without an answer. Begin the address with https:// if the training shows it so.`;
  if (typeof code === 'string' && code.startsWith('HPE_'))
    return `The server at ${url} does not answer with HTTP. Use the address that the training shows; the broker has another port.`;
  return `The daemon at ${url} does not answer: ${sentenceOf(error)} Check that its run trains, and that no firewall is between.`;
}
