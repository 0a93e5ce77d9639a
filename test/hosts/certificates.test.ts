import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:tls';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { certifyServer, createAuthority } from '../../runtime/hosts/certificates.ts';

const NOW = Date.UTC(2026, 10, 26);
const DAY_MS = 86_400_000;

test('an authority is valid for years, and signs itself', () => {
  for (const at of [NOW, Date.UTC(2048, 0, 1), Date.UTC(2051, 0, 1)]) {
    const authority = new X509Certificate(createAuthority(at).certificate);
    expect(authority.ca).toBe(true);
    expect(authority.verify(authority.publicKey)).toBe(true);
    expect(authority.checkIssued(authority)).toBe(true);
    expect(new Date(authority.validFrom).getTime()).toBeLessThan(at);
    expect(new Date(authority.validTo).getTime()).toBeGreaterThan(at + 3000 * DAY_MS);
  }
});

test('two authorities have different names, because programs find them by name', () => {
  const [one, other] = [createAuthority(NOW), createAuthority(NOW)].map(
    ({ certificate }) => new X509Certificate(certificate).subject,
  );
  expect(one).not.toBe(other);
});

test('the certificate of a server is valid for its names and addresses, and for no others', () => {
  const authority = createAuthority(NOW);
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.domain(), { minLength: 1, maxLength: 30 }),
      fc.uniqueArray(fc.oneof(fc.ipV4(), fc.ipV6().filter(isPlain)), { maxLength: 30 }),
      (names, addresses) => {
        const { certificate } = certifyServer(authority, [...names, ...addresses], NOW);
        const own = new X509Certificate(certificate);
        expect(own.ca).toBe(false);
        expect(own.verify(new X509Certificate(authority.certificate).publicKey)).toBe(true);
        for (const name of names) expect(own.checkHost(name)).toBeDefined();
        for (const address of addresses) expect(own.checkIP(address), address).toBeDefined();
        expect(own.checkHost('another.invalid')).toBeUndefined();
        expect(own.checkIP('203.0.113.77')).toBe(
          addresses.includes('203.0.113.77') ? '203.0.113.77' : undefined,
        );
      },
    ),
    { numRuns: 30 },
  );
});

test('a name with other letters than ASCII is written as clients write it, and an invalid one is left out', () => {
  const names = ['bücher.lan', 'xn--iñvalid.com', 'tower.lan'];
  const { certificate } = certifyServer(createAuthority(NOW), names, NOW);
  const own = new X509Certificate(certificate);
  expect(own.subjectAltName).toBe('DNS:xn--bcher-kva.lan, DNS:tower.lan');
  expect(own.subject).toBe('CN=xn--bcher-kva.lan');
});

/** Node has another notation for the others. */
const isPlain = (address: string): boolean => !address.includes('.') && !address.includes('%');

test('TLS accepts the server for those who trust the authority, and for nobody else', async () => {
  const authority = createAuthority(Date.now());
  const { certificate, key } = certifyServer(authority, ['127.0.0.1', 'tower.lan'], Date.now());
  const server = createServer({ cert: certificate, key }, socket => socket.end('hello'));
  server.on('tlsClientError', () => undefined);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const reached = async (ca: string, servername?: string): Promise<string> => {
    const socket = connect({ host: '127.0.0.1', port, ca, ...(servername !== undefined && { servername }) });
    try {
      const [data] = await once(socket, 'data');
      return String(data);
    } finally {
      socket.destroy();
    }
  };
  try {
    expect(await reached(authority.certificate)).toBe('hello');
    expect(await reached(authority.certificate, 'tower.lan')).toBe('hello');
    await expect(reached(authority.certificate, 'other.lan')).rejects.toThrow(/altnames/);
    await expect(reached(createAuthority(Date.now()).certificate)).rejects.toThrow(/issuer|verify|signed/);
  } finally {
    server.close();
  }
});
