// The built-in agent: what somebody else did belongs to its history, and it decides on the screen that is there.

import { expect, test } from 'vitest';
import { CompactAgent } from '../../../runtime/agents/compact/compact-agent.ts';
import type { Action } from '../../../runtime/core/action.ts';
import type { AgentSession } from '../../../runtime/core/agent.ts';
import { desktopId, seed, version } from '../../../runtime/core/ids.ts';
import type { EncodedObservation } from '../../../runtime/core/policy.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import type { Screen } from '../../../runtime/core/screen.ts';
import { PocketDesktop } from '../../../runtime/environments/pocket/desktop.ts';
import { POCKET, solutionOf } from '../../../runtime/environments/pocket/tasks/suite.ts';

const TASK = POCKET.task('mail-forward', seed(0));
const { actions } = solutionOf(POCKET, TASK, seed(0));
const WAIT: Action = { kind: 'wait' };

const copied = (screen: Screen): Screen => ({
  ...screen,
  pixels: { ...screen.pixels, data: Uint8Array.from(screen.pixels.data) },
});

/** The screens of the solution, from the first one on. */
async function screens(): Promise<readonly Screen[]> {
  const desktop = new PocketDesktop(desktopId('seen'));
  const all = [copied(await desktop.reset(TASK, seed(0)))];
  for (const action of actions) all.push(copied(await desktop.act(action)));
  return all;
}

function begun() {
  const seen: EncodedObservation[] = [];
  const agent = new CompactAgent({
    pool: {
      decide: async ({ observation }) => {
        seen.push(observation);
        return { action: WAIT, meant: [], decisions: [], version: version(1) };
      },
    },
  });
  const session = agent.begin({
    ...{ episode: 'e', instruction: TASK.instruction, mode: 'screenshot_a11y_tree', maxSteps: 15 },
    ...{ temperature: 0, exploration: 0, random: seeded('e'), signal: new AbortController().signal },
  });
  return { session, seen };
}

const witnessed = async (session: AgentSession, all: readonly Screen[]) => {
  for (const [index, action] of actions.entries()) {
    const [before, after] = [all[index], all[index + 1]];
    if (before !== undefined && after !== undefined) await session.witnessed(action, before, after);
  }
};

test('actions of somebody else and its own lead to the same observation', async () => {
  const all = await screens();
  const [own, other] = [begun(), begun()];
  for (const [index, action] of actions.entries()) {
    await own.session.next(all[index] as Screen);
    own.session.acted(action, all[index + 1] as Screen);
  }
  const last = all.at(-1) as Screen;
  await own.session.next(last);
  await witnessed(other.session, all);
  await other.session.next(last);
  expect(other.seen).toHaveLength(1);
  expect(other.seen[0]).toEqual(own.seen.at(-1));
});

test('it decides on the present screen, also if that changed by itself', async () => {
  const [first, second] = (await screens()) as [Screen, Screen];
  const [waiting, fresh] = [begun(), begun()];
  await waiting.session.next(first);
  await waiting.session.next(second);
  await fresh.session.next(second);
  expect(waiting.seen[1]).toEqual(fresh.seen[0]);
  expect(waiting.seen[1]).not.toEqual(waiting.seen[0]);
});
