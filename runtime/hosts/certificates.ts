// X.509 certificates for hosts that no public authority knows: an authority of one's own, and certificates of servers that it signs.
// Written in DER here, because Node reads certificates but makes none, and not every machine has openssl.

import {
  createHash,
  createPrivateKey,
  createSign,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  X509Certificate,
} from 'node:crypto';
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';

/** PEM texts. */
export interface Certified {
  readonly certificate: string;
  readonly key: string;
}

const DAY_MS = 86_400_000;
/** Hosts may have clocks that are late. */
const EARLIER_MS = DAY_MS;
const AUTHORITY_DAYS = 3650;
/** Programs reject longer ones. `dartboard up` makes a new one at each start. */
const SERVER_DAYS = 397;

export function createAuthority(atMs: number): Certified {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  // Unique: a program that knows several authorities finds them by name.
  const name = `Dartboard ${randomBytes(4).toString('hex')}`;
  const extensions = [
    extension(OID.basicConstraints, true, sequence(boolean(true))),
    extension(OID.subjectKey, false, der(TAG.octets, keyIdentifier(publicKey))),
    // Signs certificates and lists of revoked ones.
    extension(OID.keyUsage, true, der(TAG.bits, bytes(1, 0b0000_0110))),
  ];
  return {
    certificate: certificate({
      ...{ subject: name, issuer: name, publicKey, signer: privateKey, extensions },
      ...{ atMs, days: AUTHORITY_DAYS },
    }),
    key: pemOf(privateKey),
  };
}

/** `names` are host names and addresses. An invalid name is left out. The certificate of the authority follows that of the server. */
export function certifyServer(authority: Certified, names: readonly string[], atMs: number): Certified {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = new X509Certificate(authority.certificate);
  // nats-server rejects a certificate whose names have other characters than ASCII.
  const written = names.map(name => (isIP(name) === 0 ? domainToASCII(name) : name)).filter(Boolean);
  const [subject = 'dartboard'] = written;
  const extensions = [
    extension(OID.keyUsage, true, der(TAG.bits, bytes(7, 0b1000_0000))),
    extension(OID.authorityKey, false, sequence(der(TAG.keyIdentifier, keyIdentifier(issuer.publicKey)))),
    extension(OID.extendedKeyUsage, false, sequence(oid(OID.serverAuthentication))),
    extension(OID.alternativeNames, false, sequence(...written.map(alternativeName))),
  ];
  const own = certificate({
    ...{
      subject,
      issuer: issuer.subject.replace(/^CN=/, ''),
      publicKey,
      extensions,
    },
    ...{ signer: createPrivateKey(authority.key), atMs, days: SERVER_DAYS },
  });
  return { certificate: own + authority.certificate, key: pemOf(privateKey) };
}

interface CertificateFields {
  readonly subject: string;
  readonly issuer: string;
  readonly publicKey: KeyObject;
  readonly signer: KeyObject;
  readonly extensions: readonly Buffer[];
  readonly atMs: number;
  readonly days: number;
}

function certificate(fields: CertificateFields): string {
  const { subject, issuer, publicKey, signer, extensions, atMs, days } = fields;
  const algorithm = sequence(oid(OID.ecdsaWithSha256));
  const content = sequence(
    der(TAG.version, der(TAG.integer, bytes(2))),
    // Positive, and so below 0x80 at its start.
    der(TAG.integer, Buffer.concat([bytes(0x40), randomBytes(15)])),
    algorithm,
    nameOf(issuer),
    sequence(timeOf(atMs - EARLIER_MS), timeOf(atMs + days * DAY_MS)),
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(TAG.extensions, sequence(...extensions)),
  );
  const signature = createSign('sha256').update(content).sign(signer);
  const whole = sequence(content, algorithm, der(TAG.bits, Buffer.concat([bytes(0), signature])));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

const TAG = {
  ...{ boolean: 0x01, integer: 0x02, bits: 0x03, octets: 0x04, oid: 0x06, utf8: 0x0c },
  ...{ utcTime: 0x17, generalizedTime: 0x18, sequence: 0x30, set: 0x31 },
  ...{ version: 0xa0, extensions: 0xa3, keyIdentifier: 0x80, dnsName: 0x82, ipAddress: 0x87 },
};

const OID = {
  commonName: '2.5.4.3',
  basicConstraints: '2.5.29.19',
  keyUsage: '2.5.29.15',
  extendedKeyUsage: '2.5.29.37',
  alternativeNames: '2.5.29.17',
  subjectKey: '2.5.29.14',
  authorityKey: '2.5.29.35',
  serverAuthentication: '1.3.6.1.5.5.7.3.1',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
};

function der(tag: number, content: Uint8Array): Buffer {
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([bytes(tag, ...size), content]);
}

const bytes = (...values: readonly number[]): Buffer => Buffer.from(values);
const sequence = (...parts: readonly Uint8Array[]): Buffer => der(TAG.sequence, Buffer.concat(parts));
const boolean = (value: boolean): Buffer => der(TAG.boolean, bytes(value ? 0xff : 0));

function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return der(TAG.oid, bytes(40 * first + second, ...rest.flatMap(base128)));
}

/** All digits but the last have the high bit. */
function base128(value: number): number[] {
  const digits = [value & 0x7f];
  for (let rest = value >> 7; rest > 0; rest >>= 7) digits.unshift((rest & 0x7f) | 0x80);
  return digits;
}

const extension = (id: string, isCritical: boolean, value: Uint8Array): Buffer =>
  sequence(oid(id), ...(isCritical ? [boolean(true)] : []), der(TAG.octets, value));

/** Any digest of the key: programs only compare it. */
const keyIdentifier = (key: KeyObject): Buffer =>
  createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest()
    .subarray(0, 20);

const nameOf = (commonName: string): Buffer =>
  sequence(der(TAG.set, sequence(oid(OID.commonName), der(TAG.utf8, Buffer.from(commonName)))));

/** Certificates write years from 2050 on with four digits. */
function timeOf(ms: number): Buffer {
  const [digits = ''] = new Date(ms).toISOString().replace(/[-:T]/g, '').split('.');
  return Number(digits.slice(0, 4)) < 2050
    ? der(TAG.utcTime, Buffer.from(`${digits.slice(2)}Z`))
    : der(TAG.generalizedTime, Buffer.from(`${digits}Z`));
}

function alternativeName(name: string): Buffer {
  const family = isIP(name);
  if (family === 0) return der(TAG.dnsName, Buffer.from(name));
  return der(TAG.ipAddress, family === 4 ? bytes(...name.split('.').map(Number)) : ipv6Bytes(name));
}

/** `::` stands for as many zeros as are missing. */
function ipv6Bytes(address: string): Buffer {
  const [before = [], after = []] = address
    .split('::')
    .map(side => side.split(':').filter(group => group !== ''));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  const groups = [...before, ...(address.includes('::') ? zeros : []), ...after];
  return bytes(
    ...groups.map(group => Number.parseInt(group, 16)).flatMap(value => [value >> 8, value & 0xff]),
  );
}

const pemOf = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();
