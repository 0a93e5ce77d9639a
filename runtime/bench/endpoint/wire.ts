// The replies of the benchmark's server, in the shape of vLLM: text, tokens with log-probabilities, ids and a version; and the wrong
// reports that servers are known for. Pure.

import type { ReplyDefect } from '../../core/trace.ts';

/** The time from the last byte of a request to the first byte of its reply, in milliseconds. */
export const WORK_HEADER = 'x-work-ms';

/** The grammar of a reply. */
export const GRAMMARS = ['ui-tars', 'computer-use'] as const;
export type Grammar = (typeof GRAMMARS)[number];

/** Each wrong report, and the defect that a client must name. */
export const MISREPORTS = {
  'short-log-probabilities': 'log-probabilities-length',
  'missing-log-probabilities': 'log-probability-invalid',
  'text-past-stop': 'text-after-stop',
  'other-text': 'tokens-differ-from-text',
  'other-model': 'wrong-model',
  'two-versions': 'mixed-versions',
} as const satisfies Readonly<Record<string, ReplyDefect>>;
export type Misreport = keyof typeof MISREPORTS;
export const MISREPORT_NAMES = Object.keys(MISREPORTS) as readonly Misreport[];

export interface WrittenReply {
  readonly id: string;
  readonly model: string;
  readonly version: string;
  /** At the end of the generation, if it changed. */
  readonly endVersion?: string;
  readonly grammar: Grammar;
  readonly misreport?: Misreport;
}

const THOUGHT =
  'I see the list of reports in front, and the mail behind it. The budget of March is the report that the task asks for, so I open it by a click on its title.';

const TEXTS: Readonly<Record<Grammar, (id: string) => string>> = {
  'ui-tars': id => `Thought: Reply ${id}. ${THOUGHT}\nAction: click(start_box='(640,480)')`,
  'computer-use': id =>
    `Action: Reply ${id}. ${THOUGHT}\n<tool_call>\n{"name": "computer_use", "arguments": {"action": "left_click", "coordinate": [320, 444]}}\n</tool_call>`,
};

/** The number of the reply in a text; undefined for another text. */
export const replyId = (raw: string): string | undefined => /Reply ([\w-]+)\./.exec(raw)?.[1];

/** The number of alternatives at each position. */
const TOP = 5;
const END = '<|im_end|>';

export function replyJson({
  id,
  model,
  version,
  endVersion = version,
  grammar,
  misreport,
}: WrittenReply): string {
  const text = TEXTS[grammar](id);
  const spelled = [...piecesOf(text), END, ...(misreport === 'text-past-stop' ? [' and', ' more'] : [])];
  const entries = spelled.map((piece, index) => entryOf(piece, index, misreport));
  const reported = misreport === 'short-log-probabilities' ? entries.slice(0, -3) : entries;
  const second = misreport === 'two-versions' ? `${version}b` : endVersion;
  const versions = new Set([version, second]);
  return JSON.stringify({
    id: `chatcmpl-${id}`,
    object: 'chat.completion',
    model: misreport === 'other-model' ? 'another-model' : model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: text },
        finish_reason: 'stop',
        logprobs: { content: reported },
        token_ids: spelled.map((_, index) => 1000 + index),
        weight_versions: [...versions].map(each => ({ version: each })),
      },
    ],
    prompt_token_ids: Array.from({ length: 64 }, (_, index) => index),
    usage: { prompt_tokens: 64, completion_tokens: spelled.length },
  });
}

/** About four characters each, as tokens have. */
const piecesOf = (text: string): readonly string[] => text.match(/ ?\w{1,4}|[^\w ]+| /g) ?? [];

function entryOf(piece: string, index: number, misreport: Misreport | undefined) {
  const share = 0.6 + 0.05 * (index % 7);
  const alternatives = Array.from({ length: TOP - 1 }, (_, rank) => ({
    token: `${piece}${rank}`,
    logprob: Math.log(((1 - share) * 2 ** -rank) / 2),
    bytes: [...Buffer.from(`${piece}${rank}`)],
  }));
  const own = { token: piece, logprob: Math.log(share), bytes: [...Buffer.from(piece)] };
  return {
    ...own,
    ...(misreport === 'missing-log-probabilities' && { logprob: -9999 }),
    // Other tokens than those of the text, as after a second tokenization.
    ...(misreport === 'other-text' && index === 3 && { token: 'qq', bytes: [...Buffer.from('qq')] }),
    top_logprobs: [own, ...alternatives],
  };
}
