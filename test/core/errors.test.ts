import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { messageOf } from '../../runtime/core/errors.ts';

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
