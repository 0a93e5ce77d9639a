// The page of an agent's attempt: each screen with the targets of the actions, the thought, the figures of the turn and the raw reply. Pure.

import type { AgentAttempt, AttemptTurn } from './agent-attempt.ts';
import { escaped, filmCard, filmPage } from './filmstrip.ts';
import { turnFigures } from './turn-figures.ts';

/** `about` names the instance and the agent, `result` the outcome. */
export const agentFilmstrip = (
  { instruction, turns, last }: AgentAttempt,
  about: string,
  result: string,
): string =>
  filmPage(instruction, about, [
    ...turns.map((turn, index) => filmCard(turn.screen, turn.boxes, turnText(turn, index + 1))),
    filmCard(last, [], `<b>End</b>${escaped(result)}`),
  ]);

function turnText({ sentences, trace }: AttemptTurn, number: number): string {
  const actions = `<b>${number}</b>${escaped(sentences.join(', then '))}`;
  if (trace.kind !== 'tokens') return actions;
  const { thought, malformed, raw } = trace;
  return [
    actions,
    ...(malformed === undefined ? [] : [`<p class="wrong">Unreadable reply: ${escaped(malformed)}</p>`]),
    ...(thought === undefined ? [] : [`<p class="thought">${escaped(thought)}</p>`]),
    `<small>${escaped(turnFigures(trace).join(' · '))}</small>`,
    `<details><summary>Reply</summary><pre>${escaped(raw)}</pre></details>`,
  ].join('');
}
