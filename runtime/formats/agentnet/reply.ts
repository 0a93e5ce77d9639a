// A step of AgentNet as the reply of an OpenCUA model, which was trained on such steps: sections with headings. Pure.

import { sectionOf } from '../../agents/model/profiles/opencua.ts';
import type { TokensTrace } from '../../core/trace.ts';

/** The sections of a step; absent ones are ''. */
export interface AgentNetTexts {
  readonly observation: string;
  readonly thought: string;
  /** In words. */
  readonly action: string;
}

export const replyText = ({ observation, thought, action }: AgentNetTexts, code: string): string =>
  [
    ...section('Observation', observation),
    ...section('Thought', thought),
    ...section('Action', action),
    `## Code:\n\`\`\`python\n${code}\n\`\`\``,
  ].join('\n\n');

const section = (heading: string, text: string): readonly string[] =>
  text === '' ? [] : [`## ${heading}:\n${text}`];

/** The sections of a reply, or the thought of a reply in another form. */
export function textsOf(reply: TokensTrace | undefined): AgentNetTexts {
  const raw = reply?.raw ?? '';
  const [observation, thought, action] = [
    sectionOf(raw, 'Observation'),
    sectionOf(raw, 'Thought'),
    sectionOf(raw, 'Action'),
  ];
  return { observation, thought: thought === '' ? (reply?.thought ?? '') : thought, action };
}
