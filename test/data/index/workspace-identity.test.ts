// The identity of a workspace stays with its folder.

import { cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WORKSPACE } from '../../../runtime/data/files/places.ts';
import { workspaceIdentity } from '../../../runtime/data/index/workspace-identity.ts';
import { folder } from '../trajectories.ts';

test('the identity survives a new start and a new name of the folder', () => {
  const root = join(folder(), 'runs');
  mkdirSync(root);
  const identity = workspaceIdentity(root);
  expect(identity).toMatch(/^[0-9a-f]{24}$/);
  expect(workspaceIdentity(root)).toBe(identity);
  renameSync(root, `${root}-renamed`);
  expect(workspaceIdentity(`${root}-renamed`)).toBe(identity);
});

test('a copy gets an identity of its own, which does not change the original', () => {
  const root = join(folder(), 'runs');
  mkdirSync(root);
  const identity = workspaceIdentity(root);
  cpSync(root, `${root}-copy`, { recursive: true });
  const ofCopy = workspaceIdentity(`${root}-copy`);
  expect(ofCopy).not.toBe(identity);
  expect(workspaceIdentity(`${root}-copy`)).toBe(ofCopy);
  expect(workspaceIdentity(root)).toBe(identity);
});

test('a damaged file is replaced', () => {
  const root = folder();
  workspaceIdentity(root);
  for (const content of ['', 'half', '{"id":"x; DROP SCHEMA","folder":"1"}']) {
    writeFileSync(join(root, WORKSPACE), content);
    const identity = workspaceIdentity(root);
    expect(identity).toMatch(/^[0-9a-f]{24}$/);
    expect(readFileSync(join(root, WORKSPACE), 'utf8')).toContain(identity);
  }
});
