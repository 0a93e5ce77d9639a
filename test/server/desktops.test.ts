// How desktops look, over a real socket: from pocket desktops on which somebody plays, through host, fabric and daemon.

import { decode } from 'fast-png';
import { expect, onTestFinished, test } from 'vitest';
import { runId } from '../../runtime/core/ids.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { DESKTOPS_RESULTS } from '../../runtime/protocol/daemon/desktops.ts';
import { DesktopViewers } from '../../runtime/run/desktop-viewers.ts';
import { lookAt } from '../../runtime/server/desktops/desktops.ts';
import { at, watchedDesktops } from '../run/host/watched-desktops.ts';
import { Client, pagesFolder, serve } from './client.ts';
import { playedState } from './played-state.ts';
import { ScriptedRuns } from './scripted-runs.ts';

async function entered(readOnly = false) {
  const played = watchedDesktops(2, systemClock);
  const audience = new DesktopViewers({ ...played.fabric, clock: systemClock });
  const runs = new ScriptedRuns(playedState(5));
  const run = runId(playedState(5).run);
  runs.desktops = {
    look: look => lookAt({ run, look: asked => audience.look(asked), hosts: () => undefined }, look),
    kinds: async () => [{ kind: 'pocket', is: 'here' }],
  };
  const server = await serve({ pages: pagesFolder(), runs, readOnly });
  onTestFinished(async () => {
    await audience.close();
    await server.close();
  });
  const client = await Client.enter(server.port);
  const look = async (params: { readonly after: number; readonly desktop?: string }) => {
    const reply = await client.ask('desktops.look', params);
    if (!('result' in reply)) throw new Error(JSON.stringify(reply));
    const bytes = client.frames.at(-1)?.payload ?? new Uint8Array();
    return { ...DESKTOPS_RESULTS['desktops.look'].parse(reply.result), bytes };
  };
  return { ...played, client, look, run };
}

test('the first request returns all desktops, later ones the changes', async () => {
  const { begin, click, look, run } = await entered();
  await Promise.all([begin(0), begin(1)]);
  let seen = await look({ after: 0 });
  expect(seen.run).toBe(run);
  const known = new Map(seen.views.map(view => [view.desktop, view]));
  while (known.size < 2) {
    seen = await look({ after: seen.after });
    for (const view of seen.views) known.set(view.desktop, view);
  }
  await click(1, 30);
  const next = await look({ after: seen.after });
  expect(next.views.map(({ desktop }) => desktop)).toEqual(['d1']);
  const [{ picture, doing }] = [at(next.views, 0)];
  expect(doing).toMatchObject({ steps: 1, says: 'click here' });
  const { from = 0, length = 0 } = picture ?? {};
  expect(decode(next.bytes.slice(from, from + length))).toMatchObject({ width: 160, height: 120 });
});

test('a request for one desktop returns its full picture', async () => {
  const { begin, look } = await entered(true);
  await begin(0);
  const { views, bytes } = await look({ after: 0, desktop: 'd0' });
  expect(views).toHaveLength(1);
  expect(decode(bytes)).toMatchObject({ width: 320, height: 240 });
});

test('an invalid desktop name is rejected, and the kinds are listed', async () => {
  const { client } = await entered();
  expect(await client.fail('desktops.look', { after: 0, desktop: '../d0' })).toMatchObject({
    ...{ code: 'bad_request', field: 'params.desktop' },
  });
  expect(await client.ask('desktops.kinds', {})).toMatchObject({
    result: { kinds: [{ kind: 'pocket', is: 'here' }] },
  });
});
