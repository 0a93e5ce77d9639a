import { createHash } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runProgram } from '../../runtime/cli/program.ts';
import { addWebCommand } from '../../runtime/cli/web.ts';
import { parseConfig } from '../../runtime/config/config.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { archiveOf } from '../environments/web/miniwob/tar-archive.ts';
import { contextWithoutProcesses } from './command-context.ts';

const PAGE = 'core.startEpisode()';
const archive = archiveOf([{ name: 'project/miniwob/html/miniwob/click-test.html', text: PAGE }]);
const sha = (text: string): string => createHash('sha256').update(text).digest('hex');
const digest = sha(`${sha(PAGE)} html/miniwob/click-test.html\n`);

const server = createServer((_, response) => response.end(archive));
let source = { url: '', digest };
beforeEach(async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the test server has no port');
  source = { url: `http://127.0.0.1:${address.port}/`, digest };
});
afterEach(() => new Promise<unknown>(resolve => server.close(resolve).closeAllConnections()));

async function run(...args: readonly string[]) {
  const { context, output } = contextWithoutProcesses();
  const program = new Command('dartboard').exitOverride();
  addWebCommand(program, { ...context, clock: systemClock }, source);
  await program.parseAsync(['web', 'get', ...args], { from: 'user' });
  return { folder: context.folder, text: output.text };
}

test('the pages of MiniWoB++ land in the workspace', async () => {
  const { folder, text } = await run('miniwob');
  const miniwob = join('.dartboard', 'miniwob');
  expect(text).toContain(`1 pages of MiniWoB++ are in ${miniwob}\n`);
  const [, setting = ''] = /dartboard\.json[^{]*(.*)/.exec(text) ?? [];
  expect(parseConfig(JSON.parse(setting)).environments).toMatchObject({ kind: 'web', web: { miniwob } });
  expect(existsSync(join(folder, '.dartboard/miniwob/html/miniwob/click-test.html'))).toBe(true);
});

test('--to names another folder', async () => {
  const { folder } = await run('miniwob', '--to', 'pages/here');
  expect(existsSync(join(folder, 'pages/here/html/miniwob/click-test.html'))).toBe(true);
});

test.each([
  [['web', 'get', 'webarena'], 'Allowed choices are miniwob'],
  [['web', 'get'], "missing required argument 'benchmark'"],
])('%j fails before a server is asked', async (args, message) => {
  const { context, errors } = contextWithoutProcesses();
  expect(await runProgram(context, args)).toBe(1);
  expect(errors.join('\n').toLowerCase()).toContain(message.toLowerCase());
});

test('a folder that exists is not replaced', async () => {
  const { context, errors } = contextWithoutProcesses();
  mkdirSync(join(context.folder, '.dartboard/miniwob'), { recursive: true });
  expect(await runProgram(context, ['web', 'get', 'miniwob'])).toBe(1);
  expect(errors.join()).toMatch(/exists\. Remove it, or choose another folder with --to/);
});
