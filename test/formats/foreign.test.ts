// Files as other programs write them: the names, fields and omissions of OSWorld's runners, DART and AgentNet.

import { expect, test } from 'vitest';
import type { WrittenFile } from '../../runtime/formats/written-files.ts';
import { imported, memorySource, picture } from './sources.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const HD = { width: 1920, height: 1080 };
const lines = (...values: readonly object[]): Uint8Array =>
  utf8(values.map(value => `${JSON.stringify(value)}\n`).join(''));
const png = (place: string, content: number): WrittenFile => ({ place, bytes: picture(HD, content) });

async function only(files: readonly WrittenFile[], changes: Parameters<typeof imported>[1] = {}) {
  const { report, trajectories } = await imported(memorySource(files), changes);
  const [trajectory] = trajectories;
  if (trajectory === undefined) throw new Error(JSON.stringify(report.skipped));
  return { trajectory, report };
}

const OSWORLD = 'pyautogui/screenshot/uitars-1.5-7b/chrome/030eeff7-b492-4218-b312-701ec99ee0cc';

test('a result of OSWorld has its task, model, score, times, replies and screens', async () => {
  const step = (number: number, action: unknown, response: string, at: string) => ({
    ...{ step_num: number, action_timestamp: at, action, response, reward: 0, done: false, info: {} },
    screenshot_file: `step_${number}_${at}.png`,
  });
  const both = 'Thought: Two actions.\nAction: …';
  const { trajectory, report } = await only(
    [
      {
        place: `${OSWORLD}/traj.jsonl`,
        bytes: lines(
          step(
            1,
            'import pyautogui\nimport time\npyautogui.click(100, 200, button="left")',
            'Click.',
            '20250820@101112000000',
          ),
          // One reply with two actions is two lines.
          step(2, 'WAIT', both, '20250820@101113000000'),
          step(2, { action_type: 'TYPING', parameters: { text: 'abc' } }, both, '20250820@101114000000'),
          step(3, 'os.system("reboot")', 'Reboot.', '20250820@101115000000'),
          step(
            4,
            { action_type: 'tool_use', command: 'pyautogui.press("f5")', raw_response: 'F5.' },
            '',
            '20250820@101116000000',
          ),
          step(5, 'DONE', 'Done.', '20250820@101116500000'),
        ),
      },
      { place: `${OSWORLD}/result.txt`, bytes: utf8('1.0\n') },
      { place: `${OSWORLD}/runtime.log`, bytes: utf8('log') },
      png(`${OSWORLD}/step_reset.png`, 0),
      png(`${OSWORLD}/step_1_20250820@101112000000.png`, 1),
      png(`${OSWORLD}/step_2_20250820@101113000000.png`, 2),
      png(`${OSWORLD}/step_2_20250820@101114000000.png`, 3),
      png(`${OSWORLD}/step_3_20250820@101115000000.png`, 4),
      png(`${OSWORLD}/step_4_20250820@101116000000.png`, 5),
      png(`${OSWORLD}/step_5_20250820@101116500000.png`, 6),
    ],
    { instructionOf: task => (task.startsWith('030eeff7') ? 'Enable it.' : undefined) },
  );
  expect(trajectory).toMatchObject({
    instance: { task: '030eeff7-b492-4218-b312-701ec99ee0cc', seed: 0 },
    ...{ instruction: 'Enable it.', agent: 'uitars-1.5-7b', mode: 'screenshot', purpose: 'collect' },
    outcome: { kind: 'judged', ending: 'finished', verdict: { score: 1 } },
    startedAt: Date.UTC(2025, 7, 20, 10, 11, 12),
    endedAt: Date.UTC(2025, 7, 20, 10, 11, 16, 500),
  });
  expect(trajectory.steps.map(({ action, chosen }) => [action, chosen?.trace])).toMatchObject([
    [
      { kind: 'click', at: { x: 100, y: 200 } },
      { kind: 'tokens', raw: 'Click.' },
    ],
    [{ kind: 'wait' }, { kind: 'tokens', raw: both }],
    [{ kind: 'type', text: 'abc' }, { kind: 'same-turn' }],
    // An action that cannot be expressed stays as text.
    [{ kind: 'none' }, { kind: 'tokens', raw: 'Reboot.', malformed: expect.stringContaining('os.system') }],
    [
      { kind: 'hotkey', keys: ['f5'] },
      { kind: 'tokens', raw: 'F5.' },
    ],
    [{ kind: 'finished' }, { kind: 'tokens', raw: 'Done.' }],
  ]);
  expect(trajectory.frames).toEqual({
    kind: 'png',
    images: [0, 1, 2, 3, 4, 5, 6].map(each => picture(HD, each)),
  });
  expect(report).toMatchObject({ counts: { skipped: 0 }, trajectories: [{ unreadable: 1, notes: [] }] });
});

test('a result of OSWorld without a start picture, score and instruction says so', async () => {
  const { trajectory, report } = await only([
    {
      place: `${OSWORLD}/traj.jsonl`,
      bytes: lines(
        { step_num: 1, action: 'pyautogui.click(1, 2)', response: null },
        { Error: 'Time limit exceeded in chrome' },
      ),
    },
    png(`${OSWORLD}/step_1.png`, 1),
  ]);
  expect(trajectory.instruction).toBe('');
  expect(trajectory.steps).toEqual([{ action: { kind: 'click', at: { x: 1, y: 2 } }, meant: [] }]);
  expect(trajectory.frames).toMatchObject({ images: [{ length: 0 }, picture(HD, 1)] });
  expect(trajectory.outcome).toMatchObject({
    kind: 'broken',
    failure: {
      message:
        'There is no result.txt beside traj.jsonl: the episode did not finish. Set a verdict by hand to use the trajectory.',
    },
  });
  expect(report.trajectories[0]).toMatchObject({
    notes: ['Line 2 is no step: {"Error":"Time limit exceeded in chrome"}'],
    untrained: 'It has no score. If it is correct, set a verdict by hand.',
  });
});

test.each([
  ['True', 1],
  ['False\n', 0],
  ['-1.0', 0],
  ['-0.2\n', 0],
])('a result of OSWorld with the score %j counts as %d', async (text, score) => {
  const { trajectory } = await only([
    { place: `${OSWORLD}/traj.jsonl`, bytes: lines({ step_num: 1, action: 'DONE' }) },
    { place: `${OSWORLD}/result.txt`, bytes: utf8(text) },
  ]);
  expect(trajectory.outcome).toMatchObject({ kind: 'judged', verdict: { score } });
});

test.each(['2', 'true', '', '-Infinity'])('a result of OSWorld with the text %j has no score', async text => {
  const { trajectory } = await only([
    { place: `${OSWORLD}/traj.jsonl`, bytes: lines({ step_num: 1, action: 'DONE' }) },
    { place: `${OSWORLD}/result.txt`, bytes: utf8(text) },
  ]);
  expect(trajectory.outcome).toMatchObject({ kind: 'broken' });
});

test.each([
  ['an object', () => ({ thought: 'Both.', calls: [1, 2] })],
  ['a list', () => ['Both.', { calls: [1, 2] }]],
])('two actions of one reply are one turn also if the reply is %s', async (_, reply) => {
  const step = (action: string, response: unknown) => ({ step_num: 1, action, response });
  const { trajectory } = await only([
    {
      place: `${OSWORLD}/traj.jsonl`,
      bytes: lines(step('WAIT', reply()), step('WAIT', reply()), step('DONE', ['Other.'])),
    },
  ]);
  expect(trajectory.steps.map(({ chosen }) => chosen?.trace.kind)).toEqual(['tokens', 'same-turn', 'tokens']);
});

test('files of other formats beside a result are read, and those of none are reported', async () => {
  const messages = [
    { role: 'user', content: 'Open it.' },
    { role: 'assistant', content: 'Action: wait()' },
  ];
  const { report } = await imported(
    memorySource([
      { place: 'a/traj.jsonl', bytes: lines({ action: 'DONE' }) },
      { place: 'a/final_messages.json', bytes: utf8(JSON.stringify(messages)) },
      {
        place: 'a/more.jsonl',
        bytes: lines({ task_id: 'a', traj: [{ value: { code: 'computer.wait()' } }] }),
      },
      { place: 'a/settings.json', bytes: utf8('{}') },
    ]),
  );
  expect(report.trajectories.map(({ format }) => format)).toEqual(['dart', 'agentnet', 'osworld']);
  expect(report.skipped).toEqual([
    { file: 'a/settings.json', why: expect.stringContaining('none of the formats') },
  ]);
});

test('a step of a turn without its picture leaves a gap', async () => {
  const folder = 'a-task_trace-0123456789ab-1758785787';
  const message = (role: string, ...content: readonly object[]) => ({ role, content });
  const image = (url: string) => ({ type: 'image_url', image_url: { url } });
  const data = `data:image/png;base64,${Buffer.from(picture(HD, 2)).toString('base64')}`;
  const { trajectory } = await only([
    {
      place: `${folder}/final_messages.json`,
      bytes: utf8(
        JSON.stringify([
          message(
            'user',
            { type: 'text', text: 'You are an agent.\n\n## User Instruction\nOpen it.\n' },
            image('image_0000.png'),
          ),
          message('assistant', {
            type: 'text',
            text: "Thought: Both.\nAction: wait()\n\nclick(start_box='(966,546)')",
          }),
          message('user', image(data)),
          message('assistant', { type: 'text', text: 'Thought: Done.\nAction: finished()' }),
        ]),
      ),
    },
    { place: `${folder}/reward.txt`, bytes: utf8('0.5') },
    png(`${folder}/image_0000.png`, 1),
  ]);
  expect(trajectory).toMatchObject({
    ...{ instruction: 'Open it.', startedAt: 1_758_785_787_000 },
    outcome: { kind: 'judged', ending: 'finished', verdict: { score: 0.5 } },
    frames: { images: [picture(HD, 1), { length: 0 }, picture(HD, 2)] },
  });
  // 966 of 1932 and 546 of 1092 are the middle of 1920 × 1080.
  expect(trajectory.steps.map(({ action }) => action)).toEqual([
    { kind: 'wait' },
    { kind: 'click', at: { x: 960, y: 540 } },
    { kind: 'finished', answer: '' },
  ]);
});

test('a line of AgentNet has its sections as a reply, and pictures from the folder of images', async () => {
  const { trajectory, report } = await only([
    {
      place: 'agentnet_ubuntu_5k.jsonl',
      bytes: lines({
        ...{ task_id: '20240927235321_5855063d', instruction: 'sort the table', task_completed: true },
        ...{
          alignment_score: 7,
          efficiency_score: 6,
          task_difficulty: 3,
          natural_language_task: 'Could you sort?',
        },
        traj: [
          {
            ...{ index: 0, image: 'ea83c4aa.png' },
            value: {
              ...{ observation: 'A spreadsheet.', thought: 'First action.', action: 'Click on cell C2.' },
              code: 'pyautogui.click(x=0.5, y=0.25)',
              ...{ last_step_correct: true, last_step_redundant: false, reflection: 'It worked.' },
            },
          },
          {
            ...{ index: 1, image: 'missing.png' },
            value: { code: "pyautogui.write(message='10')\npyautogui.press('enter')" },
          },
          {
            index: 2,
            image: null,
            value: { action: 'Finish.', code: "computer.terminate(status='success')" },
          },
        ],
      }),
    },
    png('images/ea83c4aa.png', 1),
  ]);
  expect(trajectory).toMatchObject({
    ...{ instruction: 'sort the table', instance: { task: '20240927235321_5855063d', seed: 0 } },
    outcome: { kind: 'judged', ending: 'finished', verdict: { score: 1 } },
  });
  expect(trajectory.steps).toMatchObject([
    {
      action: { kind: 'click', at: { x: 960, y: 270 } },
      chosen: {
        trace: {
          thought: 'First action.',
          raw: '## Observation:\nA spreadsheet.\n\n## Thought:\nFirst action.\n\n## Action:\nClick on cell C2.\n\n## Code:\n```python\npyautogui.click(x=0.5, y=0.25)\n```',
        },
      },
    },
    { action: { kind: 'type', text: '10\n' } },
    { action: { kind: 'finished', answer: '' } },
  ]);
  expect(report.trajectories[0]?.notes).toEqual(["The picture 'missing.png' is missing."]);
});

test.each([
  ['osworld', [1, 0]],
  ['agentnet', [0, 1]],
] as const)('with a format given, files of others are skipped: %s', async (format, [osworld, agentnet]) => {
  const { report } = await imported(
    memorySource([
      { place: `${OSWORLD}/traj.jsonl`, bytes: lines({ action: 'DONE' }) },
      { place: 'a.jsonl', bytes: lines({ task_id: 'a', traj: [{ value: { code: 'computer.wait()' } }] }) },
    ]),
    { format },
  );
  expect(report.counts).toMatchObject({ stored: 1, known: 0, skipped: 1 });
  expect(report.trajectories.map(each => each.format)).toEqual([
    ...Array.from({ length: osworld }, () => 'osworld'),
    ...Array.from({ length: agentnet }, () => 'agentnet'),
  ]);
});

test.each([
  ['pyautogui', ['pyautogui.scroll(-5)', 'pyautogui.moveTo(10, 20)', 'pyautogui.scroll(3)']],
  [
    'computer_13',
    [
      { action_type: 'SCROLL', parameters: { dx: 0, dy: -5 } },
      { action_type: 'MOVE_TO', parameters: { x: 10, y: 20 } },
      { action_type: 'SCROLL', parameters: { dx: 0, dy: 3 } },
    ],
  ],
])(
  'a scroll without a position is in the middle of the screen, until an action moves the pointer: %s',
  async (_, actions) => {
    const { trajectory } = await only([
      {
        place: `${OSWORLD}/traj.jsonl`,
        bytes: lines(...actions.map((action, index) => ({ step_num: index + 1, action }))),
      },
      { place: `${OSWORLD}/step_1.png`, bytes: picture({ width: 1280, height: 720 }) },
    ]);
    expect(trajectory.steps.map(({ action }) => action)).toMatchObject([
      { kind: 'scroll', at: { x: 640, y: 360 }, direction: 'down', notches: 5 },
      { kind: 'move' },
      { kind: 'scroll', at: { x: 10, y: 20 }, direction: 'up', notches: 3 },
    ]);
  },
);

test('a scroll that is longer than an agent may order is read', async () => {
  const code = 'pyautogui.scroll(-500, x=0.5, y=0.5)';
  for (const file of [
    { place: `${OSWORLD}/traj.jsonl`, bytes: lines({ step_num: 1, action: code }) },
    { place: 'a.jsonl', bytes: lines({ task_id: 'a', traj: [{ value: { code } }] }) },
  ]) {
    const { trajectory } = await only([file]);
    expect(trajectory.steps[0]?.action).toMatchObject({ direction: 'down', notches: 500 });
  }
});

test.each<[string, unknown]>([
  ['an object', { action_type: 'SCROLL', parameters: { dx: 0, dy: -10_001 } }],
  ['code', 'pyautogui.scroll(-10001)'],
])('a scroll of more than 10,000 notches is kept as text: %s', async (_, action) => {
  const bytes = lines({ step_num: 1, action });
  const { trajectory } = await only([{ place: `${OSWORLD}/traj.jsonl`, bytes }]);
  expect(trajectory.steps[0]?.action).toMatchObject({
    kind: 'none',
    why: expect.stringMatching(/10001 notches/),
  });
});

test('results of earlier versions of Dartboard have the seed in the name of the folder', async () => {
  const place = 'pyautogui/screenshot/tars/mail/mail-star-1003/traj.jsonl';
  const dartboard = { action: [{ action_type: 'WAIT' }], meant: [] };
  const { trajectory } = await only([{ place, bytes: lines({ step_num: 1, action: 'WAIT', dartboard }) }]);
  expect(trajectory).toMatchObject({
    instance: { task: 'mail-star', seed: 1003 },
    agent: 'tars',
    purpose: 'evaluate',
  });
  const { trajectory: foreign } = await only([{ place, bytes: lines({ step_num: 1, action: 'WAIT' }) }]);
  expect(foreign.instance).toEqual({ task: 'mail-star-1003', seed: 0 });
});
