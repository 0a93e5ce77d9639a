// The features that critics see: which task it is, how far the rollout is, and what the policy sees. They are sparse and hashed, so that one
// critic serves every desktop and every agent. Pure.

import { KINDS } from '../../agents/compact/action-kinds.ts';
import { decode, ENCODING, EncodingError, type Observation } from '../../agents/compact/observation.ts';
import { parseText } from '../../agents/compact/screen-text.ts';
import { wordsOf } from '../../agents/compact/word-tokenizer.ts';
import { CHAT_ENCODING, chatIn } from '../../agents/model/chat-observation.ts';
import type { EncodedObservation } from '../../core/policy.ts';
import { type Instance, instanceKey } from '../../core/task.ts';
import { textHash } from '../../core/text-hash.ts';

/** Distinct numbers in ascending order, each below FEATURES. */
export type Features = readonly number[];

export const FEATURES = 2 ** 15;

const numbered = (names: readonly string[]): Features =>
  [...new Set(names.map(name => (textHash(name) >>> 0) % FEATURES))].sort((a, b) => a - b);

/** Before the first step of a rollout. */
export const instanceFeatures = (instance: Instance): Features => numbered(namesOf(instance));

const namesOf = (instance: Instance): readonly string[] => [
  `task ${instance.task}`,
  `instance ${instanceKey(instance)}`,
];

/** Later steps are alike. */
const LAST_STEP = 30;

/** `step` counts from 0. Equal screens of different tasks have different features. */
export const stepFeatures = (instance: Instance, step: number, observation: EncodedObservation): Features =>
  numbered([
    ...namesOf(instance),
    ...[`step ${Math.min(step, LAST_STEP)}`, ...seenIn(observation)].map(name => `${name} ${instance.task}`),
  ]);

/** Nothing for an observation that cannot be read: the trainer reports damaged ones. */
function seenIn(observation: EncodedObservation): readonly string[] {
  try {
    if (observation.encoding === ENCODING) return screenNames(decode(observation));
    return observation.encoding === CHAT_ENCODING ? messageNames(observation) : [];
  } catch (error) {
    if (error instanceof EncodingError || error instanceof RangeError) return [];
    throw error;
  }
}

/**
 * Names on the screen, and which of them the instruction has: a name alone differs between the instances of a task, but not whether the
 * instruction has it.
 */
function screenNames({ instruction, elements, recent }: Observation): readonly string[] {
  const asked = parseText(instruction).line;
  const isAsked = (text: string): boolean => {
    const { line } = parseText(text);
    return line.trim() !== '' && asked.includes(line);
  };
  return [
    ...elements.flatMap(({ role, name, value, states }) => [
      `${role} named ${parseText(name).line}`,
      `${role} ${states.join(' ')} ${isAsked(name)}`,
      ...(value === '' ? [] : [`${role} holds ${isAsked(value)}`]),
    ]),
    ...recent.map(({ kind, text, changed }, age) => `${age} ago ${KINDS[kind]} ${changed} ${isAsked(text)}`),
  ];
}

/** Words of the last message of each role. */
function messageNames(observation: EncodedObservation): readonly string[] {
  const messages = chatIn(observation);
  return (['user', 'assistant'] as const).flatMap(role => {
    const parts = messages.findLast(message => message.role === role)?.parts ?? [];
    const texts = parts.flatMap(part => (part.type === 'text' ? [part.text] : []));
    return texts.flatMap(text =>
      wordsOf(text)
        .slice(0, MAX_WORDS)
        .map(word => `${role} ${word.text}`),
    );
  });
}

const MAX_WORDS = 200;
