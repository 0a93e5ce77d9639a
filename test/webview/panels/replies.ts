// Replies of language models for tests of the panels, in the grammar of UI-TARS. Probabilities are generated from a seed.

import type { Action } from '../../../runtime/core/action.ts';
import type { Random } from '../../../runtime/core/rng.ts';
import type { Point } from '../../../runtime/core/screen.ts';
import type { ReplyDetail } from '../../../runtime/protocol/daemon/reply.ts';

type ReplyToken = ReplyDetail['tokens'][number];

/** What is special about a reply. */
export type ReplyKind =
  | 'plain'
  | 'malformed'
  | 'cut'
  | 'long'
  | 'split characters'
  | 'defects and retries'
  | 'no log-probabilities';

interface ReplyOptions {
  readonly kind: ReplyKind;
  /** The target of the pointer in words. */
  readonly target: string;
  readonly random: Random;
}

const LONG_THOUGHT =
  `The instruction has several parts, so I go through the screen first. The window in front is the one that I need, and its list is sorted by name.
I see the following entries:
  1. a folder that was changed today
  2. a folder with an older date
  3. three files, of which one is selected
The button that I need is in the tool bar, next to the search field. `.repeat(6);

export function replyTo(actions: readonly Action[], options: ReplyOptions): ReplyDetail {
  const { kind, random } = options;
  const thought = thoughtOf(options);
  const raw = rawOf(thought, actions, kind);
  const isSilent = kind === 'no log-probabilities';
  const tokens = isSilent ? [] : tokensOf(raw, random, kind);
  const generated = isSilent ? Math.ceil(raw.length / 4) : tokens.length;
  return {
    raw,
    thought,
    ...(kind === 'malformed' && { malformed: 'no action found: write at least one' }),
    ...(kind === 'cut' && { malformed: "the parenthesis of 'click' is not closed" }),
    finish: kind === 'cut' ? 'length' : 'stop',
    estimator: isSilent ? 'none' : 'top-k',
    defects: kind === 'defects and retries' ? ['wrong-model', 'text-after-stop'] : [],
    tokens,
    served: {
      ...{ endpoint: 'gpu-box/1', model: 'ui-tars-1.5-7b', reportedVersion: 'step-120' },
      latencyMs: 320 + 24 * generated,
      ...{ promptTokens: 4200 + random.int(900), completionTokens: generated },
      cost: 0.0012 + 0.000_008 * generated,
      retries: kind === 'defects and retries' ? ['server-error', 'timeout', 'server-error'] : [],
    },
    ...(isSilent && { refusal: 'the server reports no log-probabilities' }),
    ...(kind === 'defects and retries' && {
      refusal: 'the report of the server is wrong: wrong-model, text-after-stop',
    }),
  };
}

function thoughtOf({ kind, target }: ReplyOptions): string {
  if (kind === 'long') return LONG_THOUGHT.trim();
  if (kind === 'split characters') return `好的，我点击 ${target} 按钮。👍 Then the menu opens.`;
  if (kind === 'malformed') return `I should find ${target} first, but I cannot see it on this screen.`;
  return `The window is open. To continue with the task, I use ${target} in its upper part.`;
}

function rawOf(thought: string, actions: readonly Action[], kind: ReplyKind): string {
  if (kind === 'malformed') return `Thought: ${thought}`;
  const calls = actions.map(callOf).join('\n\n');
  const raw = `Thought: ${thought}\nAction: ${calls}`;
  return kind === 'cut' ? raw.slice(0, raw.indexOf(',', raw.lastIndexOf('Action:'))) : raw;
}

const boxOf = ({ x, y }: Point): string => `'<|box_start|>(${x},${y})<|box_end|>'`;

function callOf(action: Action): string {
  switch (action.kind) {
    case 'drag':
      return `drag(start_box=${boxOf(action.from)}, end_box=${boxOf(action.to)})`;
    case 'type':
      return `type(content='${action.text}')`;
    case 'hotkey':
      return `hotkey(key='${action.keys.join(' ')}')`;
    case 'scroll':
      return `scroll(start_box=${boxOf(action.at)}, direction='${action.direction}')`;
    case 'double_click':
      return `left_double(start_box=${boxOf(action.at)})`;
    case 'finished':
      return "finished(content='')";
    default:
      return 'at' in action ? `click(start_box=${boxOf(action.at)})` : 'wait()';
  }
}

/** About as a tokenizer of a language model cuts: words with their space, digits one by one. */
const PIECE = /<\|[^|]+\|>| ?[A-Za-z]{1,9}| ?\p{Script=Han}|\p{Extended_Pictographic}|\d|\n+| +|_|[^\w\s]/gu;
const EXPECTED = /^(?:Thought|Action|:|\n|<\|.*\|>|\(|\)|start|_|box|=|')$/;

function tokensOf(raw: string, random: Random, kind: ReplyKind): ReplyToken[] {
  const pieces = (raw.match(PIECE) ?? []).flatMap(piece =>
    kind === 'split characters' ? split(piece) : piece,
  );
  return [...pieces, ...(kind === 'cut' ? [] : ['<|im_end|>'])].map(text => tokenOf(text, random));
}

/** A character outside of ASCII in two or three parts, as servers print them. */
function split(piece: string): readonly string[] {
  const bytes = new TextEncoder().encode(piece);
  if (bytes.length === piece.length) return [piece];
  const decode = (part: Uint8Array) => new TextDecoder().decode(part);
  return bytes.length === 4
    ? [decode(bytes.subarray(0, 1)), decode(bytes.subarray(1, 3)), decode(bytes.subarray(3))]
    : [piece];
}

const OTHERS = [' the', ' a', ' button', ' menu', '2', '5', '\n', ' open'];

function tokenOf(text: string, random: Random): ReplyToken {
  const draw = random.next();
  const probability = EXPECTED.test(text)
    ? 0.97 + 0.0299 * draw
    : draw < 0.07
      ? 0.2 * draw ** 2 + 0.0004
      : Math.min(0.999, 0.35 + 0.9 * draw);
  const others = [...OTHERS.slice(random.int(4)), ...OTHERS].filter(each => each !== text).slice(0, 4);
  const alternatives = others.map((each, index) => ({
    text: each,
    probability: (1 - probability) * 0.55 * 0.5 ** index,
  }));
  const entropy = -[probability, ...alternatives.map(each => each.probability)].reduce(
    (sum, each) => sum + (each > 0 ? each * Math.log(each) : 0),
    0,
  );
  return {
    ...{ text, probability, entropy },
    alternatives: [{ text, probability }, ...alternatives].sort((a, b) => b.probability - a.probability),
  };
}
