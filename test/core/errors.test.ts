import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { causeOf, messageOf } from '../../runtime/core/errors.ts';
import { freePort } from '../free-port.ts';

const messageFrom = (work: Promise<unknown>): Promise<string> => work.then(() => 'no error', messageOf);

test('an error of the file system says what failed, on which path, and what to do', async () => {
  expect(await messageFrom(readFile('/nowhere/file'))).toBe(
    "Cannot open '/nowhere/file': it does not exist (ENOENT). Check the path.",
  );
  expect(await messageFrom(readFile('/etc/passwd/file'))).toContain('a part of the path is a file');
  expect(await messageFrom(readFile(tmpdir()))).toMatch(/it is a folder \(EISDIR\)\. Name a file/);
});

test('an error of a socket keeps its message: the advice about files does not fit', async () => {
  expect(await messageFrom(once(connect('/nowhere/docker.sock'), 'connect'))).toBe(
    'connect ENOENT /nowhere/docker.sock',
  );
});

test('a refused name with several addresses has the reason of the first one', async () => {
  const port = await freePort();
  const socket = connect({
    host: 'localhost',
    port,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 60_000,
    lookup: (_host, _options, done) =>
      done(null, [
        { address: '127.0.0.1', family: 4 },
        { address: '::1', family: 6 },
      ]),
  });
  const refused = await once(socket, 'connect').catch((error: unknown) => error);
  expect(refused).toMatchObject({ message: '' });
  expect(messageOf(refused)).toBe(`connect ECONNREFUSED 127.0.0.1:${port}`);
});

test('the reason of a failed fetch is its cause', () => {
  const cause = new Error('connect ECONNREFUSED');
  expect(causeOf(new TypeError('fetch failed', { cause }))).toBe(cause);
  expect(causeOf(cause)).toBe(cause);
});

test('an exhausted stack is reported as a value that is nested too deeply', () => {
  const recurse = (): number => 1 + recurse();
  expect(() => {
    try {
      recurse();
    } catch (error) {
      throw new Error(messageOf(error));
    }
  }).toThrow('nested too deeply');
});

test('other errors keep their message', () => {
  expect(messageOf(new Error('why'))).toBe('why');
  expect(messageOf('why')).toBe('why');
});
