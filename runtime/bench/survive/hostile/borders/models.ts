// Replies of servers of models: chat completions and model lists of endpoints, the texts in them, and results of Tinker servers.

import type { Frame } from '../../../../agents/model/profile.ts';
import { PROFILES } from '../../../../agents/model/profiles/index.ts';
import type { Clock } from '../../../../core/clock.ts';
import type { Random } from '../../../../core/rng.ts';
import { EndpointClient } from '../../../../endpoints/client.ts';
import { EndpointError } from '../../../../endpoints/failure.ts';
import { readModelList } from '../../../../endpoints/model-list.ts';
import { readReply } from '../../../../endpoints/reply.ts';
import { TinkerClient } from '../../../../learner/tinker/client.ts';
import { DONE, MODEL, PASS, SAMPLES, SAVED, STEP } from '../../../../learner/tinker/results.ts';
import { TinkerError } from '../../../../learner/tinker/tinker-error.ts';
import { resultToJson, samplesToJson } from '../../../../learner/tinker/wire/json.ts';
import { PROTOBUF_TYPE } from '../../../../learner/tinker/wire/messages.ts';
import { encodeResult } from '../../../../learner/tinker/wire/protobuf-results.ts';
import { encodeSamples } from '../../../../learner/tinker/wire/protobuf-samples.ts';
import { replyJson } from '../../../endpoint/wire.ts';
import { type Border, bytesOfText, type OpenBorder, rejection, textOf } from '../border.ts';
import {
  CODE_MARKS,
  chosen,
  damagedBytes,
  damagedJson,
  damagedJsonText,
  jsonText,
  oneIn,
} from '../damage.ts';

/** Nothing is repeated, and no deadline ends: replies are here at once. */
const IMMEDIATE: Clock = {
  now: () => Date.now(),
  sleep: (_, signal) =>
    new Promise((_resolve, reject) =>
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true }),
    ),
};
const NEVER = new AbortController().signal;

const MODEL_NAME = 'ui-tars';
const REPLY = JSON.parse(
  replyJson({ id: '1', model: MODEL_NAME, version: '7', grammar: 'ui-tars' }),
) as Record<string, unknown>;
const LIST = {
  object: 'list',
  data: [
    { id: MODEL_NAME, owned_by: 'vllm', root: '/weights', parent: null, aliases: ['a'], max_model_len: 8192 },
  ],
};

const ACTIONS: readonly string[] = [
  "Thought: I click.\nAction: click(start_box='(640,480)')",
  "Thought: I type.\nAction: type(content='a\\nb')",
  "Action: drag(start_box='<|box_start|>(1,2)<|box_end|>', end_box='(3,4)')",
  "```python\nimport pyautogui\npyautogui.click(10, 20)\npyautogui.write('a', interval=0.1)\n```",
  "pyautogui.hotkey('ctrl', 's'); pyautogui.scroll(-3, x=1, y=2)\nDONE",
  '<tool_call>\n{"name": "computer_use", "arguments": {"action": "left_click", "coordinate": [320, 444]}}\n</tool_call>',
  '## Thought:\nText\n## Action:\nclick(3)\n```json\n{"action": "click", "element": 3}\n```',
  '{"action": "type", "text": "a", "element": 2}',
];
const PIECES = [
  ...[...CODE_MARKS, '```', '<tool_call>', '</tool_call>', '{', '}', '[', ']', ',', '=', ';', '#'],
  ...[
    'Thought:',
    'Action:',
    '## ',
    'pyautogui.',
    'click(',
    '1e999',
    '-',
    '0x',
    '\u0000',
    '\ud800',
    "start_box='",
    '<|box_start|>',
  ],
];

/** A text of a model, with parts repeated up to thousands of times: what makes a parser slow. */
function hostileText(random: Random): string {
  let text = chosen(ACTIONS, random);
  for (let change = 0; change <= random.int(3); change += 1) {
    const at = random.int(text.length + 1);
    const times = oneIn(10, random) ? random.int(8000) : 1 + random.int(4);
    const from = random.int(text.length + 1);
    const piece = oneIn(3, random) ? text.slice(from, from + random.int(12)) : chosen(PIECES, random);
    text = text.slice(0, at) + piece.repeat(times) + text.slice(oneIn(2, random) ? at : at + random.int(20));
    if (text.length > 200_000) break;
  }
  return text;
}

/** The first byte is the status, from 200 to 599 in steps of 50; the body follows. */
const STATUSES = [200, 200, 200, 200, 200, 200, 201, 400, 401, 404, 429, 500, 503];
const withStatus = (body: Uint8Array, random: Random): Uint8Array =>
  Buffer.concat([Uint8Array.of(random.int(STATUSES.length)), body]);

function endpointInput(random: Random): Uint8Array {
  const how = random.int(10);
  if (how === 0) return withStatus(damagedJsonText(LIST, random), random);
  if (how === 1)
    return withStatus(damagedJsonText({ error: { message: 'No memory.', code: 1 } }, random), random);
  if (how === 2) return withStatus(bytesOfText(`"${'\\"'.repeat(random.int(50_000))}`), random);
  if (how < 6) {
    const [choice] = REPLY['choices'] as readonly object[];
    const message = { role: 'assistant', content: hostileText(random) };
    return withStatus(bytesOfText(JSON.stringify({ ...REPLY, choices: [{ ...choice, message }] })), random);
  }
  return withStatus(damagedJsonText(REPLY, random), random);
}

const FRAME: Frame = {
  screen: { width: 1280, height: 720 },
  sent: { width: 1288, height: 728 },
  elements: [],
};

async function openEndpoint(): Promise<OpenBorder> {
  let input: Uint8Array = new Uint8Array();
  const client = new EndpointClient({
    ...{ name: 'stranger', url: 'http://127.0.0.1:8000/v1', timeoutMs: 60_000, clock: IMMEDIATE },
    transport: {
      send: async () => ({
        status: STATUSES[input[0] ?? 0] ?? 200,
        headers: { 'retry-after': textOf(input.subarray(1, 20)) },
        body: textOf(input.subarray(1)),
      }),
      close: () => undefined,
    },
  });
  return {
    take: async given => {
      input = given;
      try {
        readModelList(await client.get('/models', NEVER));
        const { raw } = readReply(await client.chat([], NEVER), {
          model: MODEL_NAME,
          topCount: 5,
          version: '7',
        });
        // A reading reports what it cannot read; it never throws.
        for (const profile of Object.values(PROFILES)) profile.read(raw, FRAME);
        return [];
      } catch (error) {
        return rejection(error, EndpointError);
      }
    },
    close: async () => undefined,
  };
}

const RESULT = {
  outputType: 'TensorOutput',
  outputs: [
    { logprobs: { type: 'float32' as const, data: [-0.5, -1], shape: [2] } },
    { logprobs: { type: 'float32' as const, data: [-0.25], shape: [1] } },
  ],
  metrics: { 'loss:sum': 0.5 },
};
const SAMPLE = {
  sequences: [
    {
      stopReason: 'stop' as const,
      tokens: [1, 2],
      logprobs: [-0.5, -1],
      topLogprobs: [[[1, -0.5] as const, [3, -2] as const], null],
    },
  ],
  promptLogprobs: [null, -1],
  topPromptLogprobs: [null, [[5, -1] as const]],
};

/** Each kind of result with a valid reply, in its encodings. */
const RESULTS = [
  { kind: PASS, json: resultToJson(RESULT), protobuf: encodeResult(RESULT) },
  { kind: SAMPLES, json: samplesToJson(SAMPLE), protobuf: encodeSamples(SAMPLE) },
  { kind: STEP, json: JSON.stringify({ metrics: { lr: 0.1, grad: null } }) },
  { kind: SAVED, json: JSON.stringify({ path: 'tinker://run/weights/1' }) },
  { kind: MODEL, json: JSON.stringify({ model_id: 'model-1' }) },
  { kind: DONE, json: '{}' },
] as const;

/** Kind, encoding, status, body. */
function tinkerInput(random: Random): Uint8Array {
  const index = random.int(RESULTS.length);
  const { json, ...rest } = RESULTS[index] ?? RESULTS[0];
  const isProtobuf = 'protobuf' in rest && oneIn(2, random);
  const body = isProtobuf
    ? damagedBytes(rest.protobuf, random)
    : bytesOfText(jsonText(damagedJson(JSON.parse(json), random), random));
  return Buffer.concat([Uint8Array.of(index, isProtobuf ? 1 : 0), withStatus(body, random)]);
}

async function openTinker(): Promise<OpenBorder> {
  let input: Uint8Array = new Uint8Array();
  const client = new TinkerClient({
    ...{ name: 'stranger', url: 'http://127.0.0.1:8000', clock: IMMEDIATE, outageTimeoutMs: -1 },
    transport: {
      sendForBytes: async () => ({
        status: STATUSES[input[2] ?? 0] ?? 200,
        headers: input[1] === 1 ? { 'content-type': PROTOBUF_TYPE } : {},
        body: input.subarray(3),
      }),
      close: () => undefined,
    },
  });
  return {
    take: async given => {
      input = given;
      try {
        await client.result<unknown>('future', (RESULTS[given[0] ?? 0] ?? RESULTS[0]).kind, NEVER);
        return [];
      } catch (error) {
        return rejection(error, TinkerError);
      }
    },
    close: async () => undefined,
  };
}

export const MODEL_BORDERS: readonly Border[] = [
  { name: 'endpoint', inputs: 30_000, make: endpointInput, open: openEndpoint },
  { name: 'tinker', inputs: 60_000, make: tinkerInput, open: openTinker },
];
