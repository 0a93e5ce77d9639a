// The laws of an agent session (runtime/core/agent.ts) for models behind an endpoint, with scripted replies.

import { describe, expect, test } from 'vitest';
import { ModelAgent, type ModelAgentOptions } from '../../../runtime/agents/model/agent.ts';
import { chatIn } from '../../../runtime/agents/model/chat-observation.ts';
import { PROFILE_IDS } from '../../../runtime/agents/model/profile.ts';
import { PROFILES } from '../../../runtime/agents/model/profiles/index.ts';
import type { Action } from '../../../runtime/core/action.ts';
import type { AgentTask } from '../../../runtime/core/agent.ts';
import type { ChatReply } from '../../../runtime/core/chat.ts';
import { version } from '../../../runtime/core/ids.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import type { Element, Screen } from '../../../runtime/core/screen.ts';
import type { ChatModel, ChatRequest } from '../../../runtime/endpoints/chat.ts';
import { EndpointError } from '../../../runtime/endpoints/failure.ts';

/** Replies with the texts in turn, the last one repeatedly. */
class ScriptedChat implements ChatModel {
  readonly requests: ChatRequest[] = [];
  readonly ended: string[] = [];
  readonly #replies: readonly (string | Error)[];

  constructor(...replies: readonly (string | Error)[]) {
    this.#replies = replies;
  }

  async complete(request: ChatRequest): Promise<ChatReply> {
    this.requests.push(request);
    const reply = this.#replies[Math.min(this.requests.length, this.#replies.length) - 1] ?? '';
    if (reply instanceof Error) throw reply;
    return {
      ...{ tokens: [], estimator: 'none', finish: 'stop', raw: reply, defects: [] },
      served: { endpoint: 'scripted', model: 'script', latencyMs: 1, retries: [] },
    };
  }

  end(session: string): void {
    this.ended.push(session);
  }
}

/** Its replies reach the limit of tokens. */
const cut = (chat: ChatModel): ChatModel => ({
  complete: async sent => ({ ...(await chat.complete(sent)), finish: 'length' }),
  end: session => chat.end(session),
});

const screen = (shade: number, elements?: readonly Element[]): Screen => ({
  pixels: { width: 320, height: 240, layout: 'rgb', data: new Uint8Array(320 * 240 * 3).fill(shade) },
  ...(elements && { elements }),
});

const task = (changes: Partial<AgentTask> = {}): AgentTask => ({
  ...{ episode: 'e1', instruction: 'Mute the sound.', mode: 'screenshot', maxSteps: 50 },
  ...{ temperature: 1, exploration: 0, random: seeded('session'), signal: new AbortController().signal },
  ...changes,
});

const agent = (chat: ChatModel, changes: Partial<ModelAgentOptions> = {}): ModelAgent =>
  new ModelAgent({ id: 'tars', profile: PROFILES['ui-tars-1.5'], chat, ...changes });

const WAIT = 'Thought: It loads.\nAction: wait()';
const imagesIn = ({ messages }: ChatRequest) =>
  messages.flatMap(({ parts }) => parts.filter(part => part.type === 'image'));
const textIn = ({ messages }: ChatRequest): string =>
  messages
    .flatMap(({ parts }) => parts.flatMap(part => (part.type === 'text' ? [part.text] : [])))
    .join('\n');

describe('a turn', () => {
  test('has the actions of the reply, its thought, and the messages that were sent', async () => {
    const chat = new ScriptedChat("Thought: Two keys.\nAction: hotkey(key='ctrl a')\n\nhotkey(key='delete')");
    const turn = await agent(chat).begin(task()).next(screen(9));
    expect(turn.actions.map(({ action }) => action)).toEqual([
      { kind: 'hotkey', keys: ['ctrl', 'a'] },
      { kind: 'hotkey', keys: ['delete'] },
    ]);
    expect(turn.trace).toMatchObject({
      kind: 'tokens',
      thought: 'Two keys.',
      served: { endpoint: 'scripted' },
    });
    expect(chatIn(turn.observation)).toEqual(chat.requests[0]?.messages);
  });

  test('without a readable action is a step, and the episode continues', async () => {
    const chat = new ScriptedChat('I would rather not.', WAIT);
    const session = agent(chat).begin(task());
    const turn = await session.next(screen(9));
    expect(turn.actions).toHaveLength(1);
    expect(turn.actions[0].action).toMatchObject({ kind: 'none' });
    expect(turn.trace).toHaveProperty('malformed');
    session.acted(turn.actions[0].action, screen(9));
    expect((await session.next(screen(9))).actions[0].action).toEqual({ kind: 'wait' });
    expect(textIn(chat.requests[1] ?? emptyRequest)).toContain('I would rather not.');
  });

  test('that is cut within its thought performs no action of the thought', async () => {
    const click = '{"action": "click", "x": 5, "y": 6}';
    const turnOf = (raw: string) =>
      agent(cut(new ScriptedChat(raw)), { profile: PROFILES.generic })
        .begin(task())
        .next(screen(9));
    const thought = await turnOf(`I could reply ${click}, but it would`);
    expect(thought.actions).toEqual([
      {
        action: {
          kind: 'none',
          why: "the reply was cut at the limit of tokens: raise 'sampling.maxTokens'",
        },
        meant: [],
      },
    ]);
    expect(thought.trace).toMatchObject({
      ...{ finish: 'length', thought: 'I could reply' },
      malformed: expect.stringContaining('sampling.maxTokens'),
    });
    // A call at the end is complete, and a thought that ended before it too.
    for (const raw of [`I reply ${click}`, `I think.</think>${click} as I`])
      expect((await turnOf(raw)).actions).toMatchObject([{ action: { kind: 'click' } }]);
  });

  test('that no desktop can perform is a mistake of the model', async () => {
    const chat = new ScriptedChat("Thought: Back.\nAction: type(content='a\\bb')");
    const turn = await agent(chat).begin(task()).next(screen(9));
    expect(turn.actions[0].action).toMatchObject({
      kind: 'none',
      why: expect.stringContaining('control character U+0008'),
    });
    expect(turn.trace).toMatchObject({ thought: 'Back.', malformed: expect.stringContaining('U+0008') });
  });

  test('rejects with the failure of the endpoint, and only without a reply', async () => {
    const failure = new EndpointError('timeout', 'lab', 'No reply within 60 s. Raise the deadline.');
    const session = agent(new ScriptedChat(failure)).begin(task());
    await expect(session.next(screen(9))).rejects.toBe(failure);
  });

  test('rejects with the reason of the signal', async () => {
    const stop = new AbortController();
    stop.abort(new Error('stopped'));
    const session = agent(new ScriptedChat(WAIT)).begin(task({ signal: stop.signal }));
    await expect(session.next(screen(9))).rejects.toThrow('stopped');
  });

  test('names the elements of earlier turns in its history', async () => {
    const mute: Element = {
      ...{ role: 'button', name: 'Mute', value: '', states: [] },
      box: { x: 40, y: 60, width: 20, height: 10 },
    };
    const save = { ...mute, name: 'Save' };
    const chat = new ScriptedChat('{"action": "click", "element": 2}', '{"action": "wait"}');
    const session = agent(chat, { profile: PROFILES.generic }).begin(task({ mode: 'a11y_tree' }));
    const turn = await session.next(screen(9, [mute, save]));
    session.acted(turn.actions[0].action, screen(9, [mute]));
    await session.next(screen(9, [mute]));
    expect(textIn(chat.requests[1] ?? emptyRequest)).toContain('1. click button "Save"');
  });

  test('names elements by their number', async () => {
    const button: Element = {
      ...{ role: 'button', name: 'Mute', value: '', states: [] },
      box: { x: 40, y: 60, width: 20, height: 10 },
    };
    const chat = new ScriptedChat('{"action": "click", "element": 1}');
    const profile = PROFILES.generic;
    const session = agent(chat, { profile }).begin(task({ mode: 'a11y_tree' }));
    const turn = await session.next(screen(9, [button]));
    expect(imagesIn(chat.requests[0] ?? emptyRequest)).toEqual([]);
    expect(turn.images).toBeUndefined();
    expect(textIn(chat.requests[0] ?? emptyRequest)).toContain('Mute');
    expect(turn.actions).toEqual([
      {
        action: { kind: 'click', at: { x: 50, y: 65 } },
        meant: [{ kind: 'element', index: 0, box: button.box }],
      },
    ]);
  });
});

describe('images', () => {
  test('belong to the turn in which they are new, once per screen', async () => {
    const session = agent(new ScriptedChat(WAIT)).begin(task());
    const added: number[] = [];
    for (const shade of [1, 1, 2, 1]) added.push((await session.next(screen(shade))).images?.length ?? 0);
    expect(added).toEqual([1, 0, 1, 0]);
  });

  test('do not depend on pixels that the desktop overwrites', async () => {
    const chat = new ScriptedChat(WAIT);
    const session = agent(chat).begin(task());
    const shown = screen(1);
    const turn = await session.next(shown);
    shown.pixels.data.fill(200);
    const again = await agent(new ScriptedChat(WAIT)).begin(task()).next(screen(1));
    expect(turn.images?.[0]?.sha256).toBe(again.images?.[0]?.sha256);
  });

  test('and turns stay within the window of the profile, however long the episode', async () => {
    const chat = new ScriptedChat(WAIT);
    const session = agent(chat).begin(task());
    const sizes: number[] = [];
    for (let step = 0; step < 60; step++) {
      const { observation, actions } = await session.next(screen(step));
      session.acted(actions[0].action, screen(step + 1));
      sizes.push(observation.bytes.length);
    }
    const { images, turns } = PROFILES['ui-tars-1.5'].history;
    const last = chat.requests.at(-1) ?? emptyRequest;
    expect(imagesIn(last)).toHaveLength(images);
    expect(last.messages.filter(({ role }) => role === 'assistant')).toHaveLength(turns);
    for (const image of imagesIn(last)) expect(last.images(image.sha256).length).toBeGreaterThan(0);
    expect(sizes.at(-1)).toBe(sizes[turns + 1]);
  });
});

describe('an action of somebody else', () => {
  const CLICK: Action = { kind: 'click', at: { x: 40, y: 50 } };

  test.each(PROFILE_IDS)('is a turn of the history in the grammar of %s', async id => {
    const profile = PROFILES[id];
    const chat = new ScriptedChat('');
    const session = agent(chat, { profile }).begin(task({ mode: profile.modes[0] }));
    await session.witnessed(CLICK, screen(1), screen(2));
    await session.next(screen(2));
    expect(chat.requests).toHaveLength(1);
    const [request = emptyRequest] = chat.requests;
    // Each profile repeats a turn in its own form: whole, as a sentence, or in words.
    expect(textIn(request)).toMatch(/click/i);
    const images = imagesIn(request);
    if (profile.modes[0] !== 'a11y_tree') expect(images).toHaveLength(Math.min(2, profile.history.images));
    for (const image of images) expect(request.images(image.sha256).length).toBeGreaterThan(0);
  });

  test('replaces what the model chose for that screen', async () => {
    const chat = new ScriptedChat(WAIT);
    const session = agent(chat).begin(task());
    await session.next(screen(1));
    await session.witnessed(CLICK, screen(1), screen(2));
    const turn = await session.next(screen(2));
    const text = textIn(chat.requests[1] ?? emptyRequest);
    expect(text).not.toContain('It loads.');
    expect(text).toContain("click(start_box='<|box_start|>(");
    expect(imagesIn(chat.requests[1] ?? emptyRequest)).toHaveLength(2);
    expect(turn.images).toHaveLength(1);
  });

  test('belongs to the images of the next turn', async () => {
    const session = agent(new ScriptedChat(WAIT)).begin(task());
    await session.witnessed(CLICK, screen(1), screen(2));
    await session.witnessed(CLICK, screen(2), screen(3));
    expect((await session.next(screen(3))).images).toHaveLength(3);
    expect((await session.next(screen(4))).images).toHaveLength(1);
  });

  test('that the grammar lacks is there in words', async () => {
    const chat = new ScriptedChat(WAIT);
    const session = agent(chat).begin(task());
    await session.witnessed({ kind: 'middle_click', at: { x: 7, y: 8 } }, screen(1), screen(2));
    await session.next(screen(2));
    expect(textIn(chat.requests[0] ?? emptyRequest)).toContain('Action: middle click at (7, 8)');
  });
});

describe('a turn that was not performed', () => {
  test('as a whole leaves no trace, however often', async () => {
    const chat = new ScriptedChat(WAIT);
    const session = agent(chat).begin(task());
    const { images } = PROFILES['ui-tars-1.5'].history;
    for (let step = 0; step < 6; step++) {
      const turn = await session.next(screen(step));
      session.acted(turn.actions[0].action, screen(step + 1));
    }
    for (let step = 10; step < 30; step++) await session.next(screen(step));
    const last = chat.requests.at(-1) ?? emptyRequest;
    expect(last.messages.filter(({ role }) => role === 'assistant')).toHaveLength(6);
    expect(imagesIn(last)).toHaveLength(images);
    for (const image of imagesIn(last)) expect(last.images(image.sha256).length).toBeGreaterThan(0);
  });

  test('to its end counts with the actions that were', async () => {
    const chat = new ScriptedChat(
      "Thought: Two keys.\nAction: hotkey(key='ctrl a')\n\nhotkey(key='delete')",
      WAIT,
    );
    const session = agent(chat).begin(task());
    const turn = await session.next(screen(1));
    session.acted(turn.actions[0].action, screen(2));
    await session.next(screen(2));
    const text = textIn(chat.requests[1] ?? emptyRequest);
    expect(text).toContain("hotkey(key='ctrl a')");
    expect(text).not.toContain('delete');
  });
});

describe('sampling', () => {
  test('has a new seed for each turn, and the same seeds for the same random source', async () => {
    const seedsOf = async () => {
      const chat = new ScriptedChat(WAIT);
      const session = agent(chat).begin(task());
      for (let step = 0; step < 5; step++) await session.next(screen(step));
      return chat.requests.map(({ sampling }) => sampling.seed);
    };
    const seeds = await seedsOf();
    expect(new Set(seeds).size).toBe(5);
    expect(await seedsOf()).toEqual(seeds);
  });

  test('is greedy in evaluations, whatever the configuration', async () => {
    const chat = new ScriptedChat(WAIT);
    await agent(chat, { sampling: { temperature: 0.7 } })
      .begin(task({ temperature: 0 }))
      .next(screen(1));
    expect(chat.requests[0]?.sampling.temperature).toBe(0);
  });
});

test('a required version is an error, except that of servers without versions', () => {
  const begin = (number: number) => agent(new ScriptedChat(WAIT)).begin(task({ version: version(number) }));
  expect(() => begin(0)).not.toThrow();
  expect(() => begin(4)).toThrow(/version 4 is required. Omit the version/);
});

test('a turn has the version of the weights that decided, which may differ from the turn before', async () => {
  const scripted = new ScriptedChat(WAIT);
  let decided = 7;
  const chat: ChatModel = {
    complete: async request => ({ ...(await scripted.complete(request)), version: version(decided++) }),
    end: session => scripted.end(session),
  };
  const session = agent(chat).begin(task());
  const turns = [await session.next(screen(1)), await session.next(screen(2))];
  expect(turns.map(turn => turn.version)).toEqual([7, 8]);
  for (const { trace } of turns) expect(trace).not.toHaveProperty('version');
});

test('a mode without images is an error for a profile that needs them', () => {
  expect(() => agent(new ScriptedChat(WAIT)).begin(task({ mode: 'a11y_tree' }))).toThrow(/a11y_tree/);
});

test('closing ends the session at the servers once', async () => {
  const chat = new ScriptedChat(WAIT);
  const session = agent(chat).begin(task());
  session.close();
  session.close();
  expect(chat.ended).toEqual(['e1']);
  await expect(session.next(screen(1))).rejects.toThrow(/closed/);
});

const emptyRequest: ChatRequest = {
  messages: [],
  images: () => new Uint8Array(),
  sampling: { temperature: 1, topP: 1, topK: -1, maxTokens: 1, seed: 0 },
  session: '',
  signal: new AbortController().signal,
};
