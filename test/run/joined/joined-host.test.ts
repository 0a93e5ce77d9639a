// A joined host over a real broker, with a process that plays nothing: it leaves the run whatever fails.

import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { createServer, request as requestTo } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { COMPACT } from '../../../runtime/agents/compact/network.ts';
import { type BlobHash, type Blobs, blobHash } from '../../../runtime/blobs/blobs.ts';
import { MemoryBlobs } from '../../../runtime/blobs/memory-blobs.ts';
import { parseConfig } from '../../../runtime/config/config.ts';
import { groupId, orderId, runId, seed, taskId } from '../../../runtime/core/ids.ts';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import { ValueCodec } from '../../../runtime/fabric/nats/codec.ts';
import { newEpoch } from '../../../runtime/fabric/nats/names.ts';
import { sameForAll } from '../../../runtime/hosts/broker-logins.ts';
import type { HostPost } from '../../../runtime/hosts/host-answers.ts';
import { LOANS_PATH } from '../../../runtime/hosts/messages.ts';
import { type JoinedHostOptions, playJoined } from '../../../runtime/run/joined/joined-host.ts';
import { startFor } from '../../../runtime/run/joined/joined-start.ts';
import { bundled } from '../../bundle-entry.ts';
import { testRun } from '../../fabric/nats/members.ts';
import { openedServer } from '../../hosts/opened-server.ts';
import { type NatsServer, startNatsServer } from '../../nats-server.ts';
import { PATIENCE } from '../../patience.ts';
import { temporaryFolder } from '../../temporary.ts';
import { breakableTemporaryFolder, STAYS } from './breakable-folder.ts';

let broker: NatsServer;
let entry: URL;
beforeAll(async () => {
  broker = await startNatsServer();
  entry = await bundled(new URL('./idle-host.ts', import.meta.url));
});
afterAll(() => broker.stop());

/** A daemon with the post of loans and with the files of its tasks, and the options of a host that joins it. */
async function joinable(
  loans: HostPost = async () => undefined,
  blobs: Blobs = new MemoryBlobs(),
  files: readonly { readonly path: string; readonly hash: BlobHash }[] = [],
) {
  const [epoch, run] = [newEpoch(), runId('a.run_1')];
  const servers = [broker.url];
  const daemon = await testRun({ servers }, epoch, blobs).daemon();
  const list = await blobs.put(Buffer.from(JSON.stringify(files)));
  const described = { run, config: parseConfig({}), tasks: [taskId('files-rename')], shape: COMPACT };
  const { server } = await openedServer({
    ...{ run, epoch, logins: sameForAll({ servers }), blobs, posts: new Map([[LOANS_PATH, loans]]) },
    startFor: ({ host }) => startFor(host, { ...described, taskFiles: list }, 7),
  });
  const said: string[] = [];
  const leave = new AbortController();
  onTestFinished(() => leave.abort());
  const options: JoinedHostOptions = {
    ...{ address: server.address, name: 'tower', offers: { desktops: 2, policy: 1 } },
    configOf: async config => config,
    entries: { host: entry, worker: entry },
    ...{ clock: systemClock, say: text => said.push(text), leave: leave.signal },
  };
  return { run, daemon, server, options, said, leave };
}

const PAGE = '<title>Sign in</title>';

type Page = readonly [status: number, page: string];

/** A proxy that answers the first requests with these pages, and passes the others on. */
async function behindProxy(address: string, ...pages: readonly Page[]): Promise<string> {
  const { port } = new URL(address);
  const left = [...pages];
  const proxy = createServer((incoming, response) => {
    const page = left.shift();
    if (page !== undefined) return response.writeHead(page[0]).end(page[1]);
    const { method, url: path, headers } = incoming;
    const passed = requestTo({ host: '127.0.0.1', port, method, path, headers }, reply => {
      response.writeHead(reply.statusCode ?? 500, reply.headers);
      reply.pipe(response);
    });
    // The test ends before the proxy does.
    passed.on('error', () => response.destroy());
    return incoming.pipe(passed);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    proxy.close();
    proxy.closeAllConnections();
  });
  const bound = proxy.address();
  return address.replace(`:${port}/`, `:${bound !== null && typeof bound === 'object' ? bound.port : 0}/`);
}

test('a host whose first request to join is answered with a page of a proxy shows this, and joins later', async () => {
  const { options, said, leave } = await joinable();
  const playing = playJoined({ ...options, address: await behindProxy(options.address, [200, PAGE]) });
  await expect.poll(() => said, PATIENCE).toContainEqual(expect.stringMatching(/^Joined the run/));
  expect(said[0]).toMatch(/^Another server answered instead of the daemon.*Sign in.* tried again in 1 s/);
  leave.abort();
  await playing;
});

test('a host that the daemon cannot admit at first shows the reason, and joins later', async () => {
  const { options, said, leave } = await joinable();
  const busy = JSON.stringify({ error: 'The broker refuses an account.' });
  const playing = playJoined({ ...options, address: await behindProxy(options.address, [503, busy]) });
  await expect.poll(() => said, PATIENCE).toContainEqual(expect.stringMatching(/^Joined the run/));
  expect(said[0]).toMatch(/^The broker refuses an account\. It is tried again in 1 s/);
  leave.abort();
  await playing;
});

test('a host that cannot join for another reason than before shows each reason once', async () => {
  const { options, said, leave } = await joinable();
  const busy = JSON.stringify({ error: 'The broker refuses an account.' });
  const address = await behindProxy(options.address, [200, PAGE], [200, PAGE], [503, busy]);
  const playing = playJoined({ ...options, address });
  const refused = expect.stringMatching(/^The broker refuses an account\. It is tried again in 4 s\.$/);
  await expect.poll(() => said, PATIENCE).toContainEqual(refused);
  leave.abort();
  await playing;
  expect(said).toEqual([expect.stringMatching(/^Another server answered/), refused]);
});

test('a host whose first request to join makes the daemon fail ends with its reason', async () => {
  const { options, said } = await joinable();
  const failed = JSON.stringify({ error: 'The daemon failed: its disk is full.' });
  const address = await behindProxy(options.address, [500, failed]);
  await expect(playJoined({ ...options, address })).rejects.toThrow(/^The daemon failed: its disk/);
  expect(said).toEqual([]);
});

test('a host whose first request to join is refused by another server than the daemon ends', async () => {
  const { options } = await joinable();
  const address = await behindProxy(options.address, [403, PAGE]);
  await expect(playJoined({ ...options, address })).rejects.toThrow(/status 403.*Check the address/);
});

/** The entry of a process that never gets ready. */
function silentEntry(): URL {
  const file = join(temporaryFolder('entry'), 'silent.mjs');
  // It lives as long as its channel.
  writeFileSync(file, "process.on('message', () => undefined);");
  return pathToFileURL(file);
}

test('a host that is drained before it is ready does not report that it joined', async () => {
  const { run, daemon, options, said } = await joinable();
  await daemon.commands.append({ kind: 'drain', run, host: 'tower', at: 7 });
  const silent = silentEntry();
  await playJoined({ ...options, entries: { host: silent, worker: silent } });
  expect(said.map(text => text.split(' ')[0])).toEqual(['Finishing', 'Left']);
});

test('a host that is drained does not join again when its run ends before its episodes', async () => {
  const { run, daemon, options, said } = await joinable();
  await daemon.orders.put({
    ...{ id: orderId('order'), run, group: groupId('group'), purpose: 'train', maxSteps: 4 },
    ...{ instance: { task: taskId('files-rename'), seed: seed(1) }, mode: 'a11y_tree' },
  });
  const playing = playJoined(options);
  await expect.poll(async () => (await daemon.orders.depth()).taken, PATIENCE).toBe(1);
  await daemon.commands.append({ kind: 'drain', run, host: 'tower', at: 7 });
  await expect.poll(() => said, PATIENCE).toContainEqual(expect.stringMatching(/^Finishing its episodes/));
  await daemon.close();
  await playing;
  expect(said.at(-1)).toBe(`Left the run '${run}'.`);
  expect(said).not.toContainEqual(expect.stringContaining('Joining again'));
});

test('a host leaves the run when its loans can no longer be carried', async () => {
  const unreadable = (await new ValueCodec(undefined).encode(7)).bytes;
  const { server, options, said } = await joinable(async () => (said.length > 0 ? unreadable : undefined));
  await expect(playJoined(options)).rejects.toThrow(/requests for desktops.*same version/);
  expect(said).toEqual([expect.stringMatching(/^Joined the run/)]);
  expect(server.hosts).toEqual([]);
});

test('a host that cannot delete its temporary files leaves the run, and names their folder', async () => {
  const { server, options, said, leave } = await joinable();
  const breakFolder = breakableTemporaryFolder();
  const playing = playJoined(options);
  await expect.poll(() => said).toEqual([expect.stringMatching(/^Joined the run/)]);
  breakFolder();
  leave.abort();
  await playing;
  expect(said).toContainEqual(expect.stringMatching(STAYS));
  expect(said.at(-1)).toMatch(/^Left the run/);
  expect(server.hosts).toEqual([]);
});

test('a host that is asked to leave while it waits for a file leaves the run, and keeps no files', async () => {
  const stored = new MemoryBlobs();
  const hash = blobHash(Uint8Array.of(1));
  let isWanted = false;
  const blobs: Blobs = {
    put: bytes => stored.put(bytes),
    get: async wanted => {
      if (wanted !== hash) return stored.get(wanted);
      isWanted = true;
      return new Promise<never>(() => undefined);
    },
  };
  const { server, options, leave } = await joinable(undefined, blobs, [{ path: 'tasks/one.json', hash }]);
  const folder = temporaryFolder('joining');
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  const playing = playJoined(options);
  await expect.poll(() => isWanted, PATIENCE).toBe(true);
  expect(readdirSync(folder)).toHaveLength(1);
  leave.abort();
  await playing;
  expect(server.hosts).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
});

test('a host that cannot play reports this, although it cannot delete its temporary files', async () => {
  const { server, options, said } = await joinable();
  const breakFolder = breakableTemporaryFolder();
  const configOf = async () => {
    breakFolder();
    throw new RangeError('This machine has no such desktops.');
  };
  await expect(playJoined({ ...options, configOf })).rejects.toThrow(/no such desktops/);
  expect(said).toEqual([expect.stringMatching(STAYS)]);
  expect(server.hosts).toEqual([]);
});
