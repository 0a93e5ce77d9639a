// The whole check against doubles: a sound server has no complaint, and each fault is named, with what to do and what it excludes. Faults
// that do not concern images are checked with lists of elements, which are faster.

import { describe, expect, test } from 'vitest';
import type { EndpointReport } from '../../runtime/endpoint-check/report.ts';
import type { AgentUse } from '../../runtime/endpoints/capabilities.ts';
import type { ServerTraits } from '../doubles/openai/traits.ts';
import { HOSTED, LLAMA_CPP, SGLANG } from '../doubles/openai/traits.ts';
import { type CheckSetup, checked, findingOf } from './run-check.ts';

const ALL: readonly AgentUse[] = ['evaluation', 'annotation', 'fine-tuning', 'training'];
const allowedUses = ({ uses }: EndpointReport): readonly AgentUse[] => ALL.filter(use => uses[use].allowed);
const complaints = ({ findings }: EndpointReport) =>
  findings.filter(({ state }) => state !== 'ok').map(({ name, state }) => `${name}: ${state}`);

const LIST: CheckSetup = {
  settings: { profile: 'generic', mode: 'a11y_tree' },
  pointing: { grammar: 'generic' },
};
const withList = (traits: Partial<ServerTraits>, setup: CheckSetup = {}): CheckSetup => ({
  ...{ ...LIST, ...setup, traits },
  settings: { ...LIST.settings, ...setup.settings },
});

describe('a sound server', () => {
  test('has no complaint, and is usable for everything', async () => {
    const { report, progress } = await checked();
    expect(complaints(report)).toEqual([]);
    expect(allowedUses(report)).toEqual(ALL);
    expect(report).toMatchObject({ name: 'lab', model: 'tars', profile: 'ui-tars-1.5', mode: 'screenshot' });
    expect(report.clicks).toHaveLength(4);
    for (const row of report.clicks)
      expect(row).toMatchObject({ targets: 6, landed: 6, distance: expect.closeTo(0, -0.5) });
    expect(findingOf(report, 'Images')?.says).toBe(
      '6 screens of 1920 × 1080 in one request; the profile sends up to 5',
    );
    expect(progress).toContain('clicks on targets: 24 of 24');
  });

  test('for a model without vision chooses elements of lists', async () => {
    const { report, server } = await checked(LIST);
    expect(complaints(report)).toEqual([]);
    expect(report.clicks.map(({ group, landed }) => `${group}: ${landed}`)).toEqual([
      ...['8 elements: 4', '30 elements: 4', '100 elements: 4'],
    ]);
    expect(
      server.chats.every(({ messages }) => messages.every(({ content }) => typeof content === 'string')),
    ).toBe(true);
  });

  test('with several URLs has a report each', async () => {
    const endpoints = [{ url: 'http://a/v1' }, { url: 'http://b/v1', model: 'other' }];
    const { reports } = await checked({ ...LIST, settings: { ...LIST.settings, endpoints } });
    expect(reports.map(({ name, url, model }) => [name, url, model])).toEqual([
      ['lab.1', 'http://a/v1', 'tars'],
      ['lab.2', 'http://b/v1', 'other'],
    ]);
    expect(reports.map(allowedUses)).toEqual([ALL, []]);
  });
});

describe('clicks in the wrong frame', () => {
  test('name the profile that fits', async () => {
    const { report } = await checked({ pointing: { frame: 1000 } });
    expect(findingOf(report, 'Clicks')).toMatchObject({
      state: 'problem',
      says: expect.stringMatching(/^0 of 24 .*24 of 24 would if the numbers were relative, from 0 to 1000/),
      remedy: "Set 'profile' to 'ui-tars-1.0', and check again.",
    });
    // Numbers outside the picture are no fault of the format.
    expect(findingOf(report, 'Format')?.state).toBe('ok');
    expect(allowedUses(report)).toEqual([]);
  });

  test('name a server that resizes images, and its limit of images', async () => {
    const seen = ({ width, height }: { width: number; height: number }) =>
      width * height > 1.5e6 ? { width: width / 2, height: height / 2 } : { width, height };
    const { report } = await checked({ pointing: { seen }, traits: { maxImages: 3 } });
    expect(findingOf(report, 'Clicks')).toMatchObject({
      state: 'problem',
      says: expect.stringMatching(/^12 of 24 .*1932 × 1092 as 966 × 546, 2548 × 1428 as 1274 × 714$/),
      remedy: expect.stringMatching(/max_pixels.*--image-max-tokens/),
    });
    expect(report.clicks.map(({ landed }) => landed)).toEqual([6, 6, 0, 0]);
    expect(findingOf(report, 'Images')).toMatchObject({
      state: 'problem',
      says: expect.stringMatching(/^3 screens .*At most 3 image/),
      remedy: expect.stringMatching(/--limit-mm-per-prompt '\{"image": 5\}'/),
    });
    expect(allowedUses(report)).toEqual([]);
  });
});

describe('images', () => {
  test('that the server rejects exclude every use of an agent that sends them', async () => {
    const { report } = await checked({ traits: { images: 'none' } });
    expect(findingOf(report, 'Images')).toMatchObject({ state: 'problem', says: 'the server rejects them' });
    expect(report.clicks).toEqual([]);
    expect(allowedUses(report)).toEqual([]);
  });

  test('beyond the limit and the context of the server are named', async () => {
    // One screen of 1920 × 1080 fits, two do not, and one of 2560 × 1440 does not.
    const { report } = await checked({ traits: { context: 5000 } });
    expect(findingOf(report, 'Images')).toMatchObject({
      state: 'problem',
      says: expect.stringMatching(
        /^1 screen of 1920 × 1080 .*up to 5 \(status 400: .*maximum context length is 5000/,
      ),
      remedy: expect.stringMatching(/--max-model-len/),
    });
    expect(findingOf(report, 'Turns')).toMatchObject({
      state: 'warning',
      says: expect.stringMatching(/^6 of 24 failed \(2560 × 1440\): status 400/),
    });
    expect(findingOf(report, 'Clicks')?.says).toMatch(/^18 of 18 clicks land/);
    expect(allowedUses(report)).toEqual([]);
  });

  test('of a request that is not answered in time are no limit: it was not measured', async () => {
    let asked = 0;
    const hangsFor = (body: string): boolean => {
      const isAboutImages = body.includes('Write the word');
      asked += Number(isAboutImages);
      return isAboutImages;
    };
    const { report } = await checked({ hangsFor, settings: { limits: { timeoutSeconds: 10 } } });
    expect(findingOf(report, 'Images')).toMatchObject({
      state: 'warning',
      says: expect.stringMatching(/^not measured: No reply from .* within 10 s/),
    });
    // No request with fewer images.
    expect(asked).toBe(3);
  });
});

describe('wrong reports', () => {
  test.each<readonly [string, Partial<ServerTraits>, RegExp]>([
    ['−9999', { missingLogProbability: true }, /13 of 13 replies report log-probabilities that are missing/],
    ['too few entries', { shortReport: true }, /another number of log-probabilities than of tokens/],
    ['tokens past the stop', { pastStop: [' and', ' more'] }, /tokens behind the end of their text/],
    ['the tail of a stop string', { stopString: '"' }, /tokens behind the end of their text/],
    ['another model', { answersAs: 'other' }, /from another model than the requested one: 'other'/],
    ['several versions', { weightVersions: ['1', '2'], versionReport: 'spans' }, /more than one version/],
  ])('%s are named, and exclude training', async (_name, traits, says) => {
    const { report } = await checked(withList(traits));
    const reports = report.findings.filter(({ name }) => name === 'Reports');
    expect(reports).toContainEqual(
      expect.objectContaining({ state: 'warning', says: expect.stringMatching(says), refuses: ['training'] }),
    );
    expect(report.uses.training.allowed).toBe(false);
  });
});

describe('log-probabilities', () => {
  test.each<readonly [Partial<ServerTraits>, string, string]>([
    [{ logProbabilities: 'raw' }, 'ok', 'with 20 candidates, before the temperature (raw)'],
    [{ logProbabilities: 'processed' }, 'ok', 'with 20 candidates, after the temperature (processed)'],
    [{ logProbabilities: 'logits' }, 'warning', 'logits, not log-probabilities'],
    [{ logProbabilities: 'none' }, 'warning', 'none: entropies are unknown'],
    [{ logProbabilities: 'rejected' }, 'warning', 'none: entropies are unknown'],
    [{ maxTop: 0 }, 'ok', 'of the sampled token alone'],
  ])('of %j are %s', async (traits, state, says) => {
    const { report } = await checked(withList(traits));
    expect(findingOf(report, 'Log-probabilities')).toMatchObject({
      state,
      says: expect.stringContaining(says),
    });
  });

  test('before a temperature that the agent sets are a warning', async () => {
    const { report } = await checked(withList({}, { settings: { sampling: { temperature: 0.5 } } }));
    expect(findingOf(report, 'Log-probabilities')).toMatchObject({ state: 'warning', refuses: ['training'] });
  });
});

describe('replies', () => {
  test('cut at the limit of tokens are counted', async () => {
    const { report } = await checked(withList({}, { settings: { sampling: { maxTokens: 4 } } }));
    expect(findingOf(report, 'Length')).toMatchObject({
      state: 'problem',
      says: '12 of 12 replies are cut at the limit of 4 tokens, so their actions are lost',
    });
    // Cut replies are unreadable for that reason alone.
    expect(findingOf(report, 'Format')?.state).toBe('ok');
    expect(allowedUses(report)).toEqual([]);
  });

  test('that come near the deadline are a warning', async () => {
    const slow = { settings: { limits: { timeoutSeconds: 10 } } };
    const { report } = await checked(withList({ prefillMs: 6000 }, slow));
    expect(findingOf(report, 'Speed')).toMatchObject({
      state: 'warning',
      says: expect.stringMatching(/a turn takes 6 s \(median\), which is near the deadline of 10 s$/),
    });
  });

  test('are measured alone and together', async () => {
    const { report } = await checked(withList({ prefillMs: 0, tokenMs: 10 }));
    expect(findingOf(report, 'Speed')?.says).toMatch(/^100 tokens\/s alone, 400 with 4 requests at a time/);
    const single = await checked(withList({ prefillMs: 0, tokenMs: 10, slots: 1 }));
    expect(findingOf(single.report, 'Speed')?.says).toMatch(/^100 tokens\/s alone, 100 with 4 requests/);
  });

  test('without numbers of tokens have no speed', async () => {
    const { report } = await checked(withList({ withoutUsage: true, logProbabilities: 'none' }));
    const says = findingOf(report, 'Speed')?.says;
    expect(says).toMatch(/^the server reports no numbers of tokens; a turn takes/);
    expect(says).not.toContain('tokens/s');
  });

  test('that miss the deadline in some turns have the advice to wait longer', async () => {
    let slow: string | undefined;
    const hangsFor = (body: string): boolean => {
      if (!body.includes('Click the red square.')) return false;
      slow ??= body;
      return body === slow;
    };
    const { report } = await checked(
      withList({}, { hangsFor, settings: { limits: { timeoutSeconds: 10 } } }),
    );
    expect(findingOf(report, 'Turns')).toMatchObject({
      state: 'warning',
      says: expect.stringMatching(/^\d of 12 failed \(8 elements\): No reply from .* within 10 s/),
      remedy: "Raise 'limits.timeoutSeconds', or lower 'limits.concurrency'.",
    });
  });

  test('of a model that is too weak for lists are a warning', async () => {
    const { report } = await checked({ ...LIST, model: () => '{"action": "click", "element": 1}' });
    expect(findingOf(report, 'Choices')).toMatchObject({
      state: 'warning',
      remedy: expect.stringMatching(/too weak/),
    });
    expect(report.uses.evaluation.allowed).toBe(true);
  });
});

describe('a server', () => {
  test.each([0, 2, 8, 14])('that dies after %i requests ends the check within minutes', async diesAfter => {
    const { report, ms } = await checked({ ...LIST, diesAfter });
    expect(complaints(report).length).toBeGreaterThan(0);
    expect(ms).toBeLessThan(180_000);
  });

  test('that fails with a status has its report and what to do about it', async () => {
    const { report } = await checked({ ...LIST, failsFor: () => true });
    expect(report.findings).toMatchObject([
      {
        ...{ name: 'Connection', state: 'problem', says: 'status 500: out of memory' },
        remedy: 'Read the log of the server.',
      },
    ]);
  });

  test('that answers no turn has no findings about replies', async () => {
    const { report } = await checked({ ...LIST, failsFor: body => body.includes('Click the red square.') });
    expect(findingOf(report, 'Turns')?.state).toBe('problem');
    expect(['Length', 'Format'].map(name => findingOf(report, name))).toEqual([undefined, undefined]);
  });

  test('that does not know the model is not usable, and lists its own', async () => {
    const { report } = await checked(withList({ names: ['qwen'] }));
    expect(report.findings).toMatchObject([
      {
        name: 'Connection',
        state: 'problem',
        says: expect.stringMatching(/It lists 'qwen'$/),
        remedy: "Correct 'model'.",
      },
    ]);
    expect(report).not.toHaveProperty('capabilities');
    expect(allowedUses(report)).toEqual([]);
  });

  test('that rejects the key is not usable', async () => {
    const { report } = await checked(withList({ key: 'sk-right' }));
    expect(report.findings).toMatchObject([
      {
        says: 'status 401: Incorrect API key provided',
        remedy: "Correct the key that the setting 'key' names, or the account that it belongs to.",
      },
    ]);
  });

  test('that answers for any name is a warning', async () => {
    const { report } = await checked(withList({ names: ['other'], anyModel: true }));
    expect(findingOf(report, 'Model')).toMatchObject({
      state: 'warning',
      says: "the server answers for 'tars', but lists 'other'",
    });
  });

  test('that ignores the limit of tokens is a warning', async () => {
    const { report } = await checked(withList({ limitFields: [] }));
    expect(findingOf(report, 'Requests')).toMatchObject({
      state: 'warning',
      says: expect.stringMatching(/ignores the limit/),
    });
    expect(report.uses.training.allowed).toBe(false);
  });

  test('whose model rejects sampling fields is a warning', async () => {
    const { report } = await checked(withList({ rejectedFields: ['temperature'] }));
    expect(findingOf(report, 'Requests')).toMatchObject({
      state: 'warning',
      says: expect.stringMatching(/cannot be repeated/),
    });
  });

  test('that fails during a measurement is a finding, and the others are made', async () => {
    const isHot = (body: string) => body.includes('"temperature":2');
    const { report } = await checked({ ...LIST, failsFor: isHot });
    expect(findingOf(report, 'Log-probabilities')).toMatchObject({
      state: 'warning',
      says: 'not measured: status 500: out of memory',
    });
    expect(findingOf(report, 'Speed')?.state).toBe('ok');
  });

  test.each<readonly [string, Partial<ServerTraits>, readonly string[]]>([
    [
      'vLLM',
      { weightVersions: ['7'] },
      ['vLLM 0.19.0', 'version 7 (by a route); LoRA at run time: yes; pause: yes', 'of prompts and replies'],
    ],
    [
      'SGLang',
      SGLANG,
      [
        'SGLang 0.5.16',
        'version default (in replies); LoRA at run time: yes; pause: yes',
        'of replies, not of prompts',
      ],
    ],
    [
      'llama.cpp',
      { ...LLAMA_CPP, names: ['tars'] },
      ['llama.cpp b7000-1a2b3c4', 'version not reported; LoRA at run time: no; pause: no', 'none'],
    ],
    [
      'a hosted service',
      { ...HOSTED, names: ['tars'], answersAs: 'tars-2026-01-15' },
      ['OpenAI', 'version not reported; LoRA at run time: no; pause: no', 'none'],
    ],
  ] as const)('of the kind %s is described', async (_name, traits, says) => {
    const { report } = await checked(withList(traits));
    expect(['Server', 'Weights', 'Token ids'].map(name => findingOf(report, name)?.says)).toEqual(says);
    expect(report.uses.evaluation.allowed).toBe(true);
  });

  test('of Dartboard itself is not asked to click on squares', async () => {
    const { report } = await checked({ traits: { kind: 'dartboard' } });
    expect(findingOf(report, 'Clicks')).toMatchObject({
      state: 'ok',
      says: expect.stringMatching(/^not checked/),
    });
    expect(report.clicks).toEqual([]);
  });
});

test('a key that is not set rejects, as nothing can be checked', async () => {
  await expect(checked({ settings: { key: { env: 'LAB_KEY' } } })).rejects.toThrow(/LAB_KEY is not set/);
});
