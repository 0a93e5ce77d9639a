// Sources that were damaged or made to harm: an import reports them and stores nothing that cannot be read again.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeTrajectory, encodeTrajectory } from '../../runtime/data/files/trajectory-file.ts';
import { writeAgentNet } from '../../runtime/formats/agentnet/write.ts';
import { writeDart } from '../../runtime/formats/dart/write.ts';
import { MAX_REPLY_LENGTH, MAX_STEPS } from '../../runtime/formats/limits.ts';
import { writeOsworld } from '../../runtime/formats/osworld/write.ts';
import type { TrajectoryWriter, WrittenFile } from '../../runtime/formats/written-files.ts';
import { DAEMON_RESULTS } from '../../runtime/protocol/daemon/messages.ts';
import { wholeTrajectory } from '../../runtime/protocol/daemon/trajectories.ts';
import { toStepDetails } from '../../runtime/server/trajectories/trajectory-view.ts';
import { episode, isUitars } from './arbitraries.ts';
import { filesOf, imported, memorySource, picture } from './sources.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

const WRITERS: readonly (readonly [string, TrajectoryWriter])[] = [
  ['OSWorld', (...all) => writeOsworld(new Set())(...all)],
  ['DART', writeDart],
  ['AgentNet', writeAgentNet],
];

/** Stands for values nested in each other: fast-check cannot print them. */
const [DEEP, DEEPER] = ['@deep', '@deeper'];
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const withNested = ({ place, bytes }: WrittenFile): WrittenFile => ({
  place,
  bytes: utf8(
    new TextDecoder()
      .decode(bytes)
      .replaceAll(`"${DEEP}"`, nested(50))
      .replaceAll(`"${DEEPER}"`, nested(5000)),
  ),
});

/** Values in the place of others. */
const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    ...[null, true, [], {}, '', 0, -1, 1e308, -1e308, 1.5, 2 ** 53, '\ud800', '../../../etc/passwd'],
    ...['constructor', '__proto__', 'NaN', '1e999', 'a'.repeat(MAX_REPLY_LENGTH + 1), DEEP, DEEPER],
    ...[{ action_type: 'CLICK', parameters: { x: 1e15, y: 1e15 } }, 'pyautogui.click(9007199254740991, 3)'],
    ...["pyautogui.press('a', presses=100)", 'pyautogui.scroll(-999999999)', "click(start_box='(1e9,1)')"],
    ...['data:image/png;base64,AAAA', 'data:image/png;base64,%%%', 'http://localhost/x.png'],
  ),
  fc.jsonValue(),
);

/** Replaces one value somewhere in a JSON value. */
function replaced(value: unknown, path: readonly number[], by: unknown): unknown {
  const [at, ...rest] = path;
  if (typeof value !== 'object' || value === null || at === undefined) return by;
  const keys = Object.keys(value);
  const key = keys[at % Math.max(1, keys.length)];
  if (key === undefined) return by;
  const inner = replaced((value as Record<string, unknown>)[key], rest, by);
  return Array.isArray(value)
    ? value.map((each, index) => (String(index) === key ? inner : each))
    : { ...value, [key]: inner };
}

const jsonDamage = fc.record({
  line: fc.nat(20),
  path: fc.array(fc.nat(30), { maxLength: 7 }),
  by: odd,
});
const byteDamage = fc.record({ at: fc.nat(5000), bytes: fc.uint8Array({ maxLength: 4 }), cut: fc.boolean() });

function damageJson(
  { place, bytes }: WrittenFile,
  { line, path, by }: { line: number; path: number[]; by: unknown },
) {
  const text = new TextDecoder().decode(bytes);
  const isLines = place.endsWith('.jsonl');
  const parts = isLines ? text.split('\n').filter(each => each !== '') : [text];
  const at = line % Math.max(1, parts.length);
  const changed = parts.map((part, index) =>
    index === at ? JSON.stringify(replaced(JSON.parse(part), path, by)) : part,
  );
  return { place, bytes: utf8(changed.join('\n')) };
}

function damageBytes(
  { place, bytes }: WrittenFile,
  { at, bytes: others, cut }: { at: number; bytes: Uint8Array; cut: boolean },
): WrittenFile {
  const from = at % (bytes.length + 1);
  const rest = cut ? new Uint8Array() : bytes.subarray(from + others.length);
  return { place, bytes: new Uint8Array(Buffer.concat([bytes.subarray(0, from), others, rest])) };
}

const isJson = ({ place }: WrittenFile): boolean => /\.jsonl?$/.test(place);

/** Nothing is lost without a word, and everything stored can be stored, read and shown. */
async function expectSound(files: readonly WrittenFile[]): Promise<void> {
  const { report, trajectories } = await imported(memorySource(files));
  expect(() => DAEMON_RESULTS['trajectories.import'].parse(report)).not.toThrow();
  expect(report.counts.stored + report.counts.skipped).toBeGreaterThan(0);
  expect(trajectories).toHaveLength(report.counts.stored);
  for (const { why } of report.skipped) expect(why).toMatch(/\. .*\.$/s);
  for (const trajectory of trajectories) {
    expect(await decodeTrajectory(encodeTrajectory(trajectory).bytes, 'x')).toEqual(trajectory);
    const each = toStepDetails(trajectory.steps, undefined);
    expect(() => wholeTrajectory.shape.each.parse(JSON.parse(JSON.stringify(each)))).not.toThrow();
  }
}

describe.each(WRITERS)('damaged files of %s', (_, write) => {
  const written = episode(isUitars).map(({ trajectory, pictures, screen }) =>
    filesOf(write(trajectory, pictures, { screen, domainOf: () => 'domain' })),
  );

  test('with other values', async () => {
    await fc.assert(
      fc.asyncProperty(
        written,
        fc.array(jsonDamage, { minLength: 1, maxLength: 3 }),
        async (files, damages) => {
          await expectSound(
            files.map(file => (isJson(file) ? withNested(damages.reduce(damageJson, file)) : file)),
          );
        },
      ),
    );
  });

  test('with other bytes, or cut off', async () => {
    await fc.assert(
      fc.asyncProperty(written, byteDamage, fc.nat(), async (files, damage, which) => {
        const index = which % files.length;
        await expectSound(files.map((file, at) => (at === index ? damageBytes(file, damage) : file)));
      }),
    );
  });

  test('with files that are missing', async () => {
    await fc.assert(
      fc.asyncProperty(written, fc.nat(), async (files, which) => {
        const left = files.filter((file, index) => isMain(file) || index !== which % files.length);
        await expectSound(left);
      }),
    );
  });
});

const isMain = ({ place }: WrittenFile): boolean =>
  /(traj\.jsonl|final_messages\.json|agentnet\.jsonl)$/.test(place);

const dart = (replies: readonly string[], images: readonly string[] = []): readonly WrittenFile[] => [
  {
    place: 'task_trace-1/final_messages.json',
    bytes: utf8(
      JSON.stringify([
        { role: 'user', content: 'Do it.' },
        ...replies.flatMap((text, index) => [
          ...(images[index] === undefined
            ? []
            : [{ role: 'user', content: [{ type: 'image_url', image_url: images[index] }] }]),
          { role: 'assistant', content: text },
        ]),
      ]),
    ),
  },
];

test('a step that Dartboard cannot express keeps its reply as text', async () => {
  const reply = 'Thought: I will dance.\nAction: dance(at=(1,2))';
  const { report, trajectories } = await imported(memorySource(dart([reply, 'Action: wait()'])));
  expect(report.trajectories).toMatchObject([{ steps: 2, unreadable: 1 }]);
  expect(trajectories[0]?.steps).toMatchObject([
    {
      action: { kind: 'none' },
      chosen: {
        trace: { raw: reply, thought: 'I will dance.', malformed: expect.stringContaining('dance') },
      },
    },
    { action: { kind: 'wait' }, chosen: { trace: { raw: 'Action: wait()' } } },
  ]);
});

test('a reply with far too many actions is refused, and the import goes on', async () => {
  const presses = "pyautogui.press('a', presses=100)\n".repeat(4000);
  const line = (action: string) => utf8(`${JSON.stringify({ step_num: 1, action, response: action })}\n`);
  const { report } = await imported(
    memorySource([
      { place: 'a/traj.jsonl', bytes: line(presses) },
      { place: 'b/traj.jsonl', bytes: line('pyautogui.click(3, 4)') },
    ]),
  );
  expect(report).toMatchObject({ counts: { stored: 1, skipped: 1 }, skipped: [{ file: 'a/traj.jsonl' }] });
});

test('lines that are no steps are counted, and are too many like steps', async () => {
  const lines = (count: number) => utf8(`{"step_num":1,"action":"WAIT"}\n${'{}\n'.repeat(count)}`);
  const { report } = await imported(
    memorySource([
      { place: 'a/traj.jsonl', bytes: lines(7) },
      { place: 'b/traj.jsonl', bytes: lines(MAX_STEPS) },
    ]),
  );
  expect(report.trajectories[0]?.notes[0]).toContain('The same holds for 6 more lines.');
  expect(report.skipped).toEqual([
    { file: 'b/traj.jsonl', why: `It has more than ${MAX_STEPS} steps. Split it, or leave it out.` },
  ]);
});

test('more steps than the limit are refused as a whole', async () => {
  const replies = Array.from({ length: MAX_STEPS + 1 }, () => 'Action: wait()');
  const { report } = await imported(memorySource(dart(replies)));
  expect(report).toMatchObject({
    counts: { stored: 0, skipped: 1 },
    skipped: [{ why: `It has more than ${MAX_STEPS} steps. Split it, or leave it out.` }],
  });
});

test('a picture outside the source is not read', async () => {
  const files = [
    ...dart(['Action: wait()', 'Action: wait()'], ['../../secret.png', '/secret.png']),
    { place: 'task_trace-1/here.png', bytes: picture({ width: 9, height: 9 }) },
  ];
  const { report, trajectories } = await imported(memorySource(files));
  expect(trajectories[0]?.frames).toEqual({ kind: 'png', images: [] });
  expect(report.trajectories[0]?.notes).toEqual([
    "The picture '../../secret.png' is missing. The same holds for 1 more pictures.",
  ]);
});

test('a picture of absurd size is left out with its size', async () => {
  const files = [
    ...dart(['Action: wait()', 'Action: wait()'], ['a.png', 'b.png']),
    { place: 'task_trace-1/a.png', bytes: picture({ width: 1_000_000, height: 1_000_000 }) },
    { place: 'task_trace-1/b.png', bytes: picture({ width: 640, height: 480 }) },
  ];
  const { report, trajectories } = await imported(memorySource(files));
  expect(report.trajectories[0]?.notes).toEqual([
    "The picture 'a.png' has 1000000 × 1000000 pixels, more than 64000000.",
  ]);
  expect(trajectories[0]?.frames).toMatchObject({
    images: [{ length: 0 }, picture({ width: 640, height: 480 })],
  });
});

test.each([
  ['no JSON', '{', /^It is no JSON \(.+\)\. Repair it, or leave it out\.$/],
  [
    'JSON that is nested too deeply',
    `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
    /^It is no JSON \(.*nested/,
  ],
  ['another JSON', '{"a": 1}', /^It has none of the formats that can be read/],
])('%s is skipped with the reason', async (_, text, why) => {
  const { report } = await imported(memorySource([{ place: 'a.json', bytes: utf8(text) }]));
  expect(report.skipped).toEqual([{ file: 'a.json', why: expect.stringMatching(why) }]);
});

test('a damaged line of a result of OSWorld is named by its number', async () => {
  const text = '{"action": "WAIT"}\n{"action": "DO';
  const { report } = await imported(memorySource([{ place: 'a/traj.jsonl', bytes: utf8(text) }]));
  expect(report.skipped).toEqual([
    { file: 'a/traj.jsonl', why: expect.stringMatching(/^Line 2: It is no JSON .+ leave it out\.$/) },
  ]);
});

test('one damaged line does not keep the others from being imported', async () => {
  const [sample] = fc.sample(episode(), { numRuns: 1, seed: 7 });
  if (sample === undefined) throw new Error('no sample');
  const { trajectory, screen } = sample;
  const [line] = writeAgentNet(trajectory, [], { screen, domainOf: () => 'x' }).lines;
  const text = `${line?.text}\n{"task_id": 1, "traj": []}\nnonsense\n${line?.text.replace('"instruction":"', '"instruction":"Other. ')}\n`;
  const { report } = await imported(memorySource([{ place: 'a.jsonl', bytes: utf8(text) }]));
  expect(report.counts).toMatchObject({ stored: 2, known: 0, skipped: 2 });
  expect(report.skipped.map(({ why }) => why)).toEqual([
    expect.stringMatching(/^It is not a trajectory of AgentNet: .+ at traj\. Repair it/),
    expect.stringMatching(/^Line 3: It is no JSON/),
  ]);
});
