// Agents of a run wait while a person acts on one of its desktops.

import { expect, test } from 'vitest';
import { seeded } from '../../../runtime/core/rng.ts';
import type { Screen } from '../../../runtime/core/screen.ts';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import { Precedence } from '../../../runtime/run/host/precedence.ts';
import { ScriptedAgent } from '../../person/scripted-agent.ts';

const WAIT = { kind: 'wait' } as const;
const SCREEN = { pixels: { width: 1, height: 1, data: new Uint8Array(4), layout: 'rgba' } } as Screen;

function fixture() {
  const clock = new VirtualClock(1_800_000_000_000);
  const precedence = new Precedence(clock);
  const agent = new ScriptedAgent(WAIT, WAIT, WAIT);
  const stop = new AbortController();
  const session = precedence.behind(agent).begin({
    ...{ episode: 'e', instruction: 'Wait.', mode: 'a11y_tree', maxSteps: 3, temperature: 1, exploration: 0 },
    ...{ random: seeded('precedence'), signal: stop.signal },
  });
  let decided = 0;
  const decide = () =>
    session.next(SCREEN).then(
      () => {
        decided += 1;
      },
      () => undefined,
    );
  const pass = (ms: number) => clock.run(clock.now() + ms);
  return { precedence, agent, stop, session, decide, pass, decided: () => decided };
}

test('they decide at once while nobody acts', async () => {
  const { decide, decided, agent, session } = fixture();
  await decide();
  expect(decided()).toBe(1);
  session.acted(WAIT, SCREEN);
  session.close();
  expect(agent.log).toEqual(['next', 'acted wait', 'close']);
});

test('they learn what somebody else did, without a wait', async () => {
  const { precedence, decide, agent, session } = fixture();
  await decide();
  precedence.acted();
  await session.witnessed(WAIT, SCREEN, SCREEN);
  expect(agent.log).toEqual(['next', 'witnessed wait']);
});

test('they wait for a person who acts again and again, and go on soon after the last action', async () => {
  const { precedence, decide, decided, pass } = fixture();
  precedence.acted();
  const deciding = decide();
  for (let key = 0; key < 20; key++) {
    await pass(200);
    precedence.acted();
  }
  expect(decided()).toBe(0);
  await pass(2000);
  await deciding;
  expect(decided()).toBe(1);
});

test('an episode that ends waits no longer', async () => {
  const { precedence, decide, decided, stop } = fixture();
  precedence.acted();
  const deciding = decide();
  stop.abort();
  await deciding;
  expect(decided()).toBe(0);
});
