// The small image: it builds, starts and reports its elements, and no reply of the hub is older than the input before the request.

import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { key } from '../../../runtime/core/key.ts';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import { containerSpec } from '../../../runtime/environments/docker/container-spec.ts';
import type { ElementNode, ElementTree } from '../../../runtime/environments/docker/element-tree.ts';
import { type DockerHost, openHost } from '../../../runtime/environments/docker/host.ts';
import { type ElementsHub, openHub } from '../../../runtime/environments/docker/hub.ts';
import { loadImage, saveImage } from '../../../runtime/environments/docker/image-files.ts';
import {
  ensureImage,
  hasImage,
  imageTag,
  inputsFolder,
  readInputs,
} from '../../../runtime/environments/docker/images.ts';
import { Rfb } from '../../../runtime/environments/docker/rfb/connection.ts';
import { describeUnless, missingEngine } from './engine.ts';
import { localAddress, outputOf } from './test-engine.ts';

/** The first build installs hundreds of packages. */
const LONG = 600_000;
const SCREEN = ['socat', '-', 'UNIX-CONNECT:/tmp/rfb.sock,retry=1000,interval=0.02'];

describeUnless(missingEngine, 'the small image', () => {
  const mark = `images-test-${randomBytes(4).toString('hex')}`;
  const labels = { dartboard: '1', 'dartboard.helper': mark };
  let host: DockerHost;
  let tag: string;
  let id: string;
  let rfb: Rfb;
  let hub: ElementsHub;

  beforeAll(async () => {
    host = await openHost(localAddress, systemClock, 'here');
    tag = await ensureImage(host, 'small', await readInputs(inputsFolder()), { progress: () => {} });
    id = await host.create(containerSpec({ name: mark, image: tag, labels }));
    rfb = await Rfb.open(await host.exec(id, SCREEN), { thing: mark, clock: systemClock });
    hub = openHub(await host.exec(id, ['/usr/lib/dartboard/hub']), { thing: mark, clock: systemClock });
  }, LONG);

  afterAll(async () => {
    for (const { id } of await host.list(labels)) await host.remove(id);
    host.close();
  });

  const run = async (command: string): Promise<string> => {
    const process = await host.exec(id, ['sh', '-c', command]);
    const output = outputOf(process);
    await process.closed;
    return output();
  };
  const start = (program: string) => run(`cd ~ && setsid ${program} >/dev/null 2>&1 </dev/null &`);
  /** The next reply without late windows; a busy machine marks some as late. */
  const tree = async (): Promise<ElementTree> => {
    for (;;) {
      const latest = (await hub.ask()).tree();
      if (latest.late.length === 0) return latest;
    }
  };
  const once = async (holds: (tree: ElementTree) => boolean): Promise<ElementTree> => {
    for (let tries = 0; tries < 300; tries++) {
      const now = await tree();
      if (holds(now)) return now;
      await new Promise(resolve => setTimeout(resolve, 50));
    }
    throw new Error(`not so after 15 s: ${holds}`);
  };
  const named = (tree: ElementTree, name: string): ElementNode => {
    const found = tree.nodes.find(node => node.name === name);
    if (found === undefined) throw new Error(`nothing is named '${name}' in ${JSON.stringify(tree.nodes)}`);
    return found;
  };
  const has = (name: string) => (tree: ElementTree) => tree.nodes.some(node => node.name === name);
  const press = (tree: ElementTree, name: string, kind: 'click' | 'double_click' = 'click') => {
    const [x, y, width, height] = named(tree, name).box;
    return rfb.act({ kind, at: { x: Math.floor((x + width / 2) / 2), y: Math.floor((y + height / 2) / 2) } });
  };
  const display = ({ nodes }: ElementTree) => nodes.find(({ role }) => role === 'text')?.value;

  test('an up-to-date image is not built again', async () => {
    const inputs = await readInputs(inputsFolder());
    const lines: string[] = [];
    expect(await ensureImage(host, 'small', inputs, { progress: line => lines.push(line) })).toBe(
      imageTag('small', inputs),
    );
    expect(lines).toEqual([]);
  });

  test('is saved to a file and loaded from it', { timeout: LONG }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dartboard-images-'));
    try {
      await saveImage(host, tag, join(folder, 'small.tar.gz'));
      expect(readdirSync(folder)).toEqual(['small.tar.gz']);
      await loadImage(host, join(folder, 'small.tar.gz'));
      expect(await hasImage(host, tag)).toBe(true);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('starts with a panel only', async () => {
    const { windows, nodes } = await once(({ windows }) => windows.length > 0);
    expect(windows.map(({ box }) => box)).toEqual([[0, 448, 640, 32]]);
    expect(nodes).toEqual([]);
  });

  test('each of a hundred clicks in the calculator is in the next reply', { timeout: LONG }, async () => {
    await start('galculator');
    let now = await once(has('AC'));
    await press(now, 'AC');
    const wrong: string[] = [];
    let wanted = '0';
    for (let click = 0; click < 100; click++) {
      const name = click % 10 === 9 ? 'AC' : String(1 + (click % 9));
      wanted = name === 'AC' ? '0' : wanted === '0' ? name : wanted + name;
      await press(now, name);
      now = await tree();
      if (display(now) !== wanted) wrong.push(`click ${click} on ${name}: ${display(now)}, not ${wanted}`);
    }
    expect(wrong).toEqual([]);
  });

  test('an open menu is a window with items', async () => {
    const before = await tree();
    expect(has('Copy Display Value')(before)).toBe(false);
    await press(before, 'Edit');
    const open = await tree();
    expect(named(open, 'Copy Display Value')).toMatchObject({ role: 'menu item' });
    expect(named(open, 'Copy Display Value').w).not.toBe(named(open, 'Edit').w);
    expect(open.windows.map(({ xid }) => xid)).toContain(named(open, 'Copy Display Value').w);
    await rfb.act({ kind: 'hotkey', keys: [key('esc')] });
    expect(has('Copy Display Value')(await tree())).toBe(false);
  });

  test('a stopped application is late with its last nodes, and recovers', async () => {
    const before = await tree();
    await run('kill -STOP $(pidof galculator)');
    try {
      const stopped = (await hub.ask()).tree();
      expect(stopped.late).toEqual([named(before, 'AC').w]);
      expect(stopped.nodes.length).toBe(before.nodes.length);
    } finally {
      await run('kill -CONT $(pidof galculator)');
    }
    expect((await tree()).nodes.length).toBe(before.nodes.length);
  });

  test('a client that never reads does not block others', async () => {
    await run(
      '(for each in 1 2 3 4 5 6; do (echo 1; sleep 60) | socat -u - UNIX-CONNECT:/tmp/elements/$(pidof galculator) & done) >/dev/null 2>&1 </dev/null &',
    );
    for (let turn = 0; turn < 20; turn++) expect(has('AC')(await tree())).toBe(true);
    await run('kill $(pidof galculator)');
    await once(now => !has('AC')(now));
  });

  test('files are nodes, also with names that are not UTF-8', { timeout: LONG }, async () => {
    await run(`cd ~ && touch 'notes "one".txt' "$(printf 'bad\\377name')" && mkdir Pictures`);
    await start('pcmanfm');
    const now = await once(has('Pictures'));
    expect(named(now, 'notes "one".txt').role).toBe('icon');
    expect(now.nodes.filter(({ role }) => role === 'icon').length).toBeGreaterThanOrEqual(3);
    await press(now, 'Pictures', 'double_click');
    await once(({ windows }) => windows.some(({ title }) => title === 'Pictures'));
    await run('kill $(pidof pcmanfm)');
  });

  test('typed text is in the next reply, and a long text is cut', { timeout: LONG }, async () => {
    await run(`cd ~ && yes 'a line of text' | head -c 200000 >long.txt`);
    await start('mousepad');
    const now = await once(({ nodes }) => nodes.some(({ role }) => role === 'text'));
    const [x, y] = now.nodes.find(({ role }) => role === 'text')?.box ?? [0, 0];
    await rfb.act({ kind: 'click', at: { x: x / 2 + 20, y: y / 2 + 20 } });
    await rfb.act({ kind: 'type', text: 'Grüße "1"' });
    expect(display(await tree())).toBe('Grüße "1"');
    await start('mousepad long.txt');
    const long = await once(({ nodes }) => nodes.some(({ value }) => value.length > 1000));
    for (const { value } of long.nodes) expect(value.length).toBeLessThanOrEqual(4000);
    await run('kill $(pidof mousepad)');
  });

  test('uses less than 60 MiB when nothing is open', async () => {
    await once(({ windows }) => windows.length === 1);
    const residentBytes = await run(
      'cat /sys/fs/cgroup/memory/memory.usage_in_bytes /sys/fs/cgroup/memory.current 2>/dev/null',
    );
    expect(Number(residentBytes.trim().split('\n')[0]) / (1 << 20)).toBeLessThan(60);
  });
});
