// Real desktops are opened for the agent that plays, which may be another one than the agent that trains.

import { expect, test, vi } from 'vitest';
import { byAgent } from '../../runtime/collect/by-agent.ts';
import { parseConfig } from '../../runtime/config/config.ts';
import { COMPACT_AGENT } from '../../runtime/core/agent.ts';
import { seed, taskId } from '../../runtime/core/ids.ts';
import type { Mode } from '../../runtime/core/policy.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { openDesktopSession } from '../../runtime/inference/desktop-session.ts';
import { clicks, playingAgent, ScriptedChat } from '../collect/playing.ts';

const asked = vi.hoisted(() => ({ agents: [] as string[], elements: [] as boolean[] }));

vi.mock('../../runtime/environments/docker/open-docker.ts', () => ({
  openDocker: async ({ agent }: { readonly agent: string }) => {
    asked.agents.push(agent);
    throw new Error('no engine');
  },
}));
vi.mock('../../runtime/environments/guest/open-guest.ts', () => ({
  openGuest: async ({ hasElements }: { readonly hasElements: boolean }) => {
    asked.elements.push(hasElements);
    throw new Error('no guest');
  },
}));

const TOY = { profile: 'generic', mode: 'a11y_tree', url: 'http://127.0.0.1:9', model: 'toy' };
const GUEST = { hosts: [{ address: 'http://127.0.0.1:9', browserPort: 9, vlcPort: 9 }], revert: 'true' };

const configOf = (kind: 'docker' | 'guest', agent: string, mode: Mode) =>
  parseConfig({
    ...{ agents: { toy: TOY }, agent, mode },
    environments: { kind, ...(kind === 'guest' && { guest: GUEST }) },
    ...(kind === 'guest' && { suite: { files: '.' } }),
  });

const about = { run: 'attempt', clock: systemClock, health: () => undefined };

test('the scale of Docker screens follows the agent that plays', async () => {
  for (const trained of [COMPACT_AGENT, 'toy'])
    for (const agent of [COMPACT_AGENT, 'toy']) {
      const config = configOf('docker', trained, 'a11y_tree');
      const opening = openDesktopSession({ ...about, agent, mode: 'a11y_tree', config });
      await expect(opening).rejects.toThrow('no engine');
    }
  expect(asked.agents.splice(0)).toEqual(['compact', 'model', 'compact', 'model']);
});

test('guests send elements in the mode of the agent that plays', async () => {
  for (const mode of ['screenshot', 'a11y_tree'] as const) {
    const config = configOf('guest', COMPACT_AGENT, mode === 'screenshot' ? 'a11y_tree' : 'screenshot');
    const opening = openDesktopSession({ ...about, agent: 'toy', mode, config });
    await expect(opening).rejects.toThrow('no guest');
  }
  expect(asked.elements.splice(0)).toEqual([false, true]);
});

test('a collection opens the desktops of its player', async () => {
  const source = byAgent({
    ...{ player: playingAgent(new ScriptedChat(clicks), systemClock), name: 'collect-1' },
    ...{ config: configOf('docker', COMPACT_AGENT, 'screenshot'), clock: systemClock },
    ...{ rollouts: 1, temperature: 0, seed: 'a', parallel: 1, purpose: 'collect' },
  });
  const instance = { task: taskId('note-write'), seed: seed(0) };
  const playing = source.play([instance], new AbortController().signal, () => undefined);
  await expect(playing[Symbol.asyncIterator]().next()).rejects.toThrow('no engine');
  expect(asked.agents.splice(0)).toEqual(['model']);
});
