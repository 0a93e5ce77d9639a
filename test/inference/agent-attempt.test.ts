// An attempt of an agent on a pocket desktop, and its page.

import { describe, expect, test } from 'vitest';
import { ModelAgent } from '../../runtime/agents/model/agent.ts';
import type { Profile } from '../../runtime/agents/model/profile.ts';
import { GENERIC } from '../../runtime/agents/model/profiles/generic.ts';
import { PROFILES } from '../../runtime/agents/model/profiles/index.ts';
import { parseConfig } from '../../runtime/config/config.ts';
import { type Agent, withNext } from '../../runtime/core/agent.ts';
import { taskId } from '../../runtime/core/ids.ts';
import { seeded } from '../../runtime/core/rng.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import type { TokensTrace } from '../../runtime/core/trace.ts';
import { POCKET } from '../../runtime/environments/pocket/tasks/suite.ts';
import { type AttemptTurn, attemptWithAgent } from '../../runtime/inference/agent-attempt.ts';
import { agentFilmstrip } from '../../runtime/inference/agent-filmstrip.ts';
import { openDesktopSession } from '../../runtime/inference/desktop-session.ts';
import { meanProbability, turnFigures } from '../../runtime/inference/turn-figures.ts';
import { type Answer, clicks, ScriptedChat } from '../collect/playing.ts';

interface AttemptOptions {
  readonly maxSteps?: number;
  readonly profile?: Profile;
  readonly stop?: AbortController;
  /** Called after each action. */
  readonly acted?: () => void;
}

async function attempt(
  answer: Answer,
  {
    maxSteps = 5,
    profile = GENERIC,
    stop = new AbortController(),
    acted = () => undefined,
  }: AttemptOptions = {},
) {
  const chat = new ScriptedChat(answer);
  const model = new ModelAgent({ id: 'toy', profile, chat });
  const agent: Agent = {
    id: model.id,
    begin: task => {
      const session = model.begin(task);
      return {
        ...withNext(session, screen => session.next(screen)),
        acted: (action, screen) => {
          session.acted(action, screen);
          acted();
        },
      };
    },
  };
  const mode = profile === GENERIC ? 'a11y_tree' : 'screenshot';
  const desktops = await openDesktopSession({
    ...{
      run: 'attempt',
      agent: 'toy',
      mode,
      config: parseConfig({}),
      clock: systemClock,
      health: () => undefined,
    },
  });
  const reported: AttemptTurn[] = [];
  const tried: string[] = [];
  const result = await attemptWithAgent({
    ...{ agent, mode, desktops, maxSteps },
    instance: { task: taskId('settings-night-light'), seed: POCKET.seed('test', 0) },
    ...{ instruction: undefined, random: seeded('attempt'), signal: stop.signal },
    started: instruction => void tried.push(instruction),
    report: turn => void reported.push(turn),
  });
  await desktops.close();
  return { result, reported, tried, chat };
}

test('an attempt reports each turn with its actions in words and the marks on its screen', async () => {
  const { result, reported, tried, chat } = await attempt(clicks);
  expect(tried).toEqual([result.instruction]);
  expect(reported).toEqual(result.turns);
  expect(result.turns.map(({ sentences }) => sentences)).toEqual([
    ['click checkbox "Night light"'],
    ['report the task as done'],
  ]);
  const [{ boxes, screen } = { boxes: [], screen: undefined }] = result.turns;
  expect(boxes).toHaveLength(1);
  expect(screen?.data.some((value, index) => value !== result.last.data[index])).toBe(true);
  expect(result).toMatchObject({ ending: 'finished', success: true, changes: ['settings.nightLight'] });
  expect(chat.ended).toHaveLength(1);
});

test('several actions of one reply are one turn, and the end of the episode drops the rest', async () => {
  const reply = "Thought: Both.\nAction: hotkey(key='tab')\n\nfinished(content='')\n\nwait()";
  const { result, chat } = await attempt(() => reply, { profile: PROFILES['ui-tars-1.5'] });
  expect(result.turns.map(({ sentences }) => sentences)).toEqual([['press Tab', 'report the task as done']]);
  expect(chat.requests).toHaveLength(1);
});

describe('a stop', () => {
  const reply = "Thought: All.\nAction: hotkey(key='tab')\n\nhotkey(key='enter')\n\nwait()";
  const profile = PROFILES['ui-tars-1.5'];

  test('ends a turn after the action that is performed', async () => {
    const stop = new AbortController();
    const { result, reported } = await attempt(() => reply, { profile, stop, acted: () => stop.abort() });
    expect(result.turns.map(({ sentences }) => sentences)).toEqual([['press Tab']]);
    expect(reported).toEqual(result.turns);
    expect(result).not.toHaveProperty('ending');
  });

  test('before the first action of a turn drops the turn', async () => {
    const stop = new AbortController();
    const answer = () => {
      stop.abort();
      return reply;
    };
    const { result, reported } = await attempt(answer, { profile, stop });
    expect(result.turns).toEqual([]);
    expect(reported).toEqual([]);
    expect(result).not.toHaveProperty('ending');
  });
});

test('an unreadable reply is a step, and the page shows it without interpreting it', async () => {
  const { result } = await attempt(() => '<script>alert("hi")</script>', { maxSteps: 2 });
  expect(result).toMatchObject({ ending: 'capped', success: false });
  expect(result.turns).toHaveLength(2);
  const page = agentFilmstrip(result, 'instance <7>', 'Not solved.');
  expect(page).toContain('Unreadable reply: ');
  expect(page).toContain('&lt;script&gt;');
  expect(page).not.toContain('<script>');
  expect(page).toContain('instance &lt;7&gt;');
});

const TRACE: TokensTrace = {
  kind: 'tokens',
  tokens: [0.5, 0.125].map(p => ({ text: 'x', logProbability: Math.log(p), entropy: 0.25 })),
  ...{ estimator: 'top-k', finish: 'stop', raw: 'xx', defects: [] },
  served: {
    endpoint: 'toy',
    model: 'm',
    latencyMs: 1234,
    promptTokens: 5000,
    completionTokens: 2,
    retries: [],
  },
};

test('the figures of a turn are those that the server reports', () => {
  expect(meanProbability(TRACE)).toBeCloseTo(0.25);
  expect(turnFigures(TRACE)).toEqual(['25 % per token', 'entropy 0.25', '1.2 s', '5,000 + 2 tokens']);
  const { promptTokens: _, completionTokens: __, ...served } = TRACE.served;
  const silent: TokensTrace = { ...TRACE, tokens: [{ text: 'x' }], estimator: 'none', served };
  expect(meanProbability(silent)).toBeUndefined();
  expect(turnFigures(silent)).toEqual(['1.2 s']);
  expect(turnFigures({ kind: 'same-turn' })).toEqual([]);
});
