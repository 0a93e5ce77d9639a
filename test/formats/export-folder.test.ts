// The folder of an export, in each format: only an empty one is written to, or one whose files are all of an earlier export.

import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { exportTrajectories } from '../../runtime/formats/export.ts';
import { EXPORT_FORMATS, type ExportFormat } from '../../runtime/protocol/daemon/exchange.ts';
import { trajectory } from '../data/trajectories.ts';
import { temporaryFolder } from '../temporary.ts';
import { picture } from './sources.ts';

const SCREEN = { width: 1920, height: 1080 };
const LIST = '.dartboard-export';

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => !entry.isDirectory())
    .map(({ name, parentPath }) => relative(folder, join(parentPath, name)).replaceAll('\\', '/'))
    .sort();

async function exportTo(folder: string, format: ExportFormat, ids: readonly string[], replace = false) {
  async function* items() {
    for (const [index, id] of ids.entries()) {
      if (id === 'error') throw new Error('The program is ending.');
      const pictures = [0, 1].map(each => picture(SCREEN, [...id].length + 7 * index + each));
      const steps = [{ action: { kind: 'finished', answer: '' }, meant: [] }] as const;
      yield { kind: 'trajectory', trajectory: trajectory(id, { steps }), pictures } as const;
    }
  }
  return exportTrajectories({
    ...{ format, folder, replace, screen: SCREEN, domainOf: () => 'x', trajectories: items() },
  });
}

describe.each(EXPORT_FORMATS)('%s', format => {
  test('a folder with an earlier export is refused, and stays as it is', async () => {
    const folder = temporaryFolder('export');
    await exportTo(folder, format, ['a', 'bb']);
    const before = filesIn(folder);
    await expect(exportTo(folder, format, ['a'])).rejects.toThrow(
      /^The folder '.+' has files of an earlier export, such as '.+'\. Choose an empty folder, .+ --replace'\.$/,
    );
    expect(filesIn(folder)).toEqual(before);
  });

  test.each(EXPORT_FORMATS)(
    'replaces an export of %s: no file and no folder of it remains',
    async earlier => {
      const [folder, fresh] = [temporaryFolder('export'), temporaryFolder('fresh')];
      await exportTo(folder, earlier, ['a', 'bb', 'cccc']);
      await exportTo(folder, format, ['dddddd'], true);
      await exportTo(fresh, format, ['dddddd']);
      expect(filesIn(folder)).toEqual(filesIn(fresh));
      expect(readdirSync(folder, { recursive: true }).sort()).toEqual(
        readdirSync(fresh, { recursive: true }).sort(),
      );
    },
  );

  test('an export that failed can be replaced', async () => {
    const folder = temporaryFolder('export');
    await expect(exportTo(folder, format, ['a', 'error'])).rejects.toThrow('ending');
    // As a killed process leaves it.
    if (format === 'agentnet') writeFileSync(join(folder, 'agentnet.jsonl.unfinished'), '{');
    await exportTo(folder, format, ['bb'], true);
    expect(filesIn(folder).some(name => name.endsWith('.unfinished'))).toBe(false);
  });
});

test.each([false, true])('files of the user are refused and stay, replacing or not (%s)', async replace => {
  const folder = temporaryFolder('export');
  await exportTo(folder, 'dart', ['a']);
  mkdirSync(join(folder, 'images'));
  writeFileSync(join(folder, 'images/own.png'), 'mine');
  const before = filesIn(folder);
  await expect(exportTo(folder, 'dart', ['bb'], replace)).rejects.toThrow(
    /has files that are not of an export, such as 'images\/own.png'\. Choose an empty folder, or a new one\.$/,
  );
  expect(filesIn(folder)).toEqual(before);
});

test('empty folders of the user stay, replacing or not', async () => {
  const folder = temporaryFolder('export');
  mkdirSync(join(folder, 'own/inner'), { recursive: true });
  await exportTo(folder, 'dart', ['a']);
  expect(existsSync(join(folder, 'own/inner'))).toBe(true);
  await exportTo(folder, 'dart', ['bb'], true);
  expect(existsSync(join(folder, 'own/inner'))).toBe(true);
});

test.each(['file', 'file/below'])('a file in place of the folder is refused: %s', async place => {
  const root = temporaryFolder('export');
  writeFileSync(join(root, 'file'), 'mine');
  const error = await exportTo(join(root, place), 'trl', ['a']).catch((each: unknown) => String(each));
  expect(error).toMatch(
    /^ExportFolderError: Cannot list the folder '[^']+': a part of the path is a file \(ENOTDIR\)\. Name a folder, .+\.$/,
  );
  expect(error).not.toContain(LIST);
  expect(readFileSync(join(root, 'file'), 'utf8')).toBe('mine');
});

test('nothing outside the folder is deleted, even if its list names it', async () => {
  const [folder, outside] = [temporaryFolder('export'), temporaryFolder('outside')];
  writeFileSync(join(outside, 'x'), '');
  symlinkSync(outside, join(folder, 'link'));
  writeFileSync(join(folder, LIST), `link/x\nlink\n${relative(folder, join(outside, 'x'))}\n`);
  await exportTo(folder, 'trl', ['a'], true);
  expect(filesIn(outside)).toEqual(['x']);
  expect(filesIn(folder)).not.toContain('link');
});

test('a list that is a link is replaced, and its target stays', async () => {
  const [folder, outside] = [temporaryFolder('export'), temporaryFolder('outside')];
  writeFileSync(join(outside, 'x'), 'mine');
  symlinkSync(join(outside, 'x'), join(folder, LIST));
  await exportTo(folder, 'trl', ['a']);
  expect(readFileSync(join(outside, 'x'), 'utf8')).toBe('mine');
  expect(filesIn(folder)).toContain('trl.jsonl');
});

test('an export without trajectories deletes nothing and makes no folder', async () => {
  const folder = temporaryFolder('export');
  await exportTo(folder, 'trl', ['a']);
  const before = filesIn(folder);
  await exportTo(folder, 'trl', [], true);
  expect(filesIn(folder)).toEqual(before);
  await exportTo(join(folder, 'new'), 'trl', []);
  expect(filesIn(folder)).toEqual(before);
});

test('files that file managers write are no obstacle', async () => {
  const folder = temporaryFolder('export');
  writeFileSync(join(folder, '.DS_Store'), '');
  await exportTo(folder, 'trl', ['a']);
  expect(filesIn(folder)).toContain('trl.jsonl');
});

test('a system that writes a part of a text without an error shortens no file', async () => {
  const [folder, whole] = [temporaryFolder('export'), temporaryFolder('whole')];
  const ids = ['a', 'bb', 'cccc'];
  await exportTo(whole, 'trl', ids);
  const handle = await open(join(temporaryFolder('handle'), 'file'), 'w');
  const handles: Pick<FileHandle, 'write'> = Object.getPrototypeOf(handle);
  await handle.close();
  const { write } = handles;
  const short = vi.spyOn(handles, 'write').mockImplementation(function (this: FileHandle, text: unknown) {
    return write.call(this, String(text).slice(0, 10));
  });
  onTestFinished(() => short.mockRestore());
  await exportTo(folder, 'trl', ids);
  for (const file of [...filesIn(whole), LIST])
    expect(readFileSync(join(folder, file), 'utf8')).toBe(readFileSync(join(whole, file), 'utf8'));
});
