// Reads the reply of a server: tokens with their log-probabilities, entropies, and what is wrong with the report. Pure. A wrong report
// never fails the step: its defects are recorded, and a step with a defect never trains.

import type { ChatReply } from '../core/chat.ts';
import { REPLY_DEFECTS, type ReplyDefect, type Token, type TokenAlternative } from '../core/trace.ts';
import { estimateEntropies, type TokenReport } from './entropy.ts';
import { compareSpelling, type Spelling } from './spelling.ts';
import type { WireAlternative, WireChoice, WireEntry, WireReply } from './wire-reply.ts';

export interface ReplyExpectation {
  /** The model that the request named. */
  readonly model: string;
  /** Other names of this model, as the server lists them. */
  readonly aliases?: readonly string[];
  /** The number of candidates that the request asked for. */
  readonly topCount: number;
  /** The version that the server must report, if it reports one. */
  readonly version?: string;
}

/** The reply of a server without what the router knows. */
export interface ReplyContent extends Omit<ChatReply, 'served' | 'version'> {
  /** As the server reports it. */
  readonly model?: string;
  readonly reportedVersion?: string;
  readonly promptTokens?: number;
  readonly completionTokens?: number;
}

/** Servers report −9999 for a log-probability that they do not have. */
export const MISSING_LOG_PROBABILITY = -9000;
/** Rounding on a GPU. */
export const MAX_LOG_PROBABILITY = 1e-5;

export function readReply(reply: WireReply, expected: ReplyExpectation): ReplyContent {
  const [choice] = reply.choices;
  const raw = textOf(choice);
  const entries = choice.logprobs?.content ?? [];
  const ids = choice.token_ids ?? metaInfoIds(choice) ?? entries.map(idInText);
  const isAligned = entries.length === 0 || ids.length === entries.length;
  const reports = entries.map(reportOf);
  const { estimator, entropies } = estimateEntropies(reports, expected.topCount);
  const tokens =
    entries.length > 0
      ? entries.map((entry, index) =>
          tokenOf(entry, isAligned ? ids[index] : undefined, reports[index], entropies[index]),
        )
      : ids.flatMap(id => (id === undefined ? [] : [{ text: '', id }]));
  const spelling = entries.length > 0 && !entries.some(isIdText) ? spellingOf(entries, raw) : 'same';
  const prompt = reply.prompt_token_ids ?? choice.prompt_token_ids ?? undefined;
  const versions = versionsOf(reply);
  const { prompt_tokens, completion_tokens } = reply.usage ?? {};
  return {
    raw,
    tokens,
    ...(prompt !== undefined && { prompt }),
    estimator,
    finish: choice.finish_reason === 'length' ? 'length' : 'stop',
    defects: defectsOf({
      isAligned: isAligned && spelling !== 'short',
      isValid: reports.every(({ logProbability }) => logProbability !== undefined),
      spelling,
      isModel: isAnswerOf(reply.model ?? expected.model, expected) && isVersion(versions, expected),
      isOneVersion: new Set(versions).size <= 1,
    }),
    ...(reply.model != null && { model: reply.model }),
    ...(versions.length > 0 && { reportedVersion: versions[versions.length - 1] }),
    ...(prompt_tokens != null && { promptTokens: prompt_tokens }),
    ...(completion_tokens != null && { completionTokens: completion_tokens }),
  };
}

/** A thought that the server separated returns to its place, as models with thoughts write it. */
function textOf({ message: { content, reasoning_content, reasoning } }: WireChoice): string {
  const thought = reasoning_content ?? reasoning ?? '';
  return thought === '' ? (content ?? '') : `<think>${thought}</think>${content ?? ''}`;
}

const ID_TEXT = /^token_id:(\d+)$/;
const isIdText = ({ token }: WireEntry): boolean => ID_TEXT.test(token ?? '');

function idInText({ token }: WireEntry): number | undefined {
  const [, digits] = ID_TEXT.exec(token ?? '') ?? [];
  return digits === undefined ? undefined : Number(digits);
}

function metaInfoIds({ meta_info }: WireChoice): readonly number[] | undefined {
  const found = meta_info?.output_token_logprobs?.flatMap(([, id]) => (typeof id === 'number' ? [id] : []));
  return found === undefined || found.length === 0 ? undefined : found;
}

function reportOf(entry: WireEntry): TokenReport {
  const own = entry.logprob ?? Number.NaN;
  const isValid = own > MISSING_LOG_PROBABILITY && own <= MAX_LOG_PROBABILITY;
  const isSampled = (each: WireAlternative): boolean =>
    each.token === entry.token && each.logprob === entry.logprob;
  return {
    ...(isValid && { logProbability: Math.min(0, own) }),
    // Parts of characters have the same text: a server that lists candidates by text reports one of them, or the sampled one.
    candidates: (entry.top_logprobs ?? []).flatMap(each =>
      typeof each.logprob === 'number' && !isUnprinted(each)
        ? [{ logProbability: Math.min(0, each.logprob), isSampled: isSampled(each) }]
        : [],
    ),
  };
}

function tokenOf(
  entry: WireEntry,
  id: number | undefined,
  { logProbability }: Partial<TokenReport> = {},
  entropy?: number,
): Token {
  const alternatives = alternativesOf(entry);
  return {
    text: isIdText(entry) ? '' : printed(entry),
    ...(id !== undefined && { id }),
    ...(logProbability !== undefined && { logProbability }),
    ...(entropy !== undefined && { entropy }),
    ...(alternatives.length > 0 && { alternatives }),
  };
}

const alternativesOf = ({ top_logprobs }: WireEntry): readonly TokenAlternative[] =>
  (top_logprobs ?? [])
    .flatMap(each =>
      typeof each.logprob === 'number' && each.logprob > MISSING_LOG_PROBABILITY
        ? [{ text: printed(each), logProbability: Math.min(0, each.logprob) }]
        : [],
    )
    .sort((a, b) => b.logProbability - a.logProbability);

/** Some servers print a part of a character as the escaped bytes, or as no text and no bytes. */
const printed = (entry: WireAlternative): string =>
  isUnprinted(entry) ? '\uFFFD' : (entry.token ?? '').replace(/^bytes:(?:\\x[0-9a-f]{2})+$/, '\uFFFD');

/** llama-cpp-python. Other servers leave `bytes` out, or list none, for a special token without text. */
const isUnprinted = ({ token, bytes }: WireAlternative): boolean => token === '' && bytes === null;

/** Bytes join characters that are split over tokens; some servers report wrong bytes, but the right text. */
function spellingOf(entries: readonly WireEntry[], raw: string): Spelling {
  const byText = compareSpelling(entries.map(printed), raw);
  if (byText !== 'different' || entries.some(({ bytes }) => bytes == null)) return byText;
  const bytes = Uint8Array.from(entries.flatMap(each => each.bytes ?? []));
  return compareSpelling([new TextDecoder().decode(bytes)], raw);
}

function versionsOf({ choices: [choice], metadata }: WireReply): readonly string[] {
  const spans = choice.weight_versions?.map(({ version }) => version) ?? [];
  const all = spans.length > 0 ? spans : [choice.meta_info?.weight_version ?? metadata?.weight_version];
  return all.flatMap(each => (each == null ? [] : [String(each)]));
}

/** Hosted services answer with the dated name of the model, Dartboard with the name of the version. */
const SNAPSHOT = /^-(?:\d{4}-?\d{2}-?\d{2}|v\d+)$/;

const isAnswerOf = (answered: string, { model, aliases = [] }: ReplyExpectation): boolean =>
  answered === model ||
  aliases.includes(answered) ||
  (answered.startsWith(model) && SNAPSHOT.test(answered.slice(model.length)));

/** Several versions are a defect of their own. */
const isVersion = (versions: readonly string[], { version }: ReplyExpectation): boolean =>
  version === undefined || versions.every(each => each === version) || new Set(versions).size > 1;

interface ReplyChecks {
  readonly isAligned: boolean;
  readonly isValid: boolean;
  readonly spelling: Spelling;
  readonly isModel: boolean;
  readonly isOneVersion: boolean;
}

function defectsOf(checks: ReplyChecks): readonly ReplyDefect[] {
  const found: Partial<Record<ReplyDefect, boolean>> = {
    'log-probabilities-length': !checks.isAligned,
    'log-probability-invalid': !checks.isValid,
    'text-after-stop': checks.spelling === 'past-stop',
    'tokens-differ-from-text': checks.spelling === 'different',
    'wrong-model': !checks.isModel,
    'mixed-versions': !checks.isOneVersion,
  };
  return REPLY_DEFECTS.filter(defect => found[defect] === true);
}
