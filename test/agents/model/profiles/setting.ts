// A screen, frames and prompts for the tests of the profiles.

import { sentSize } from '../../../../runtime/agents/model/frame.ts';
import type {
  Frame,
  ObservedScreen,
  PastTurn,
  Profile,
  PromptInput,
} from '../../../../runtime/agents/model/profile.ts';
import type { Element, Size } from '../../../../runtime/core/screen.ts';

const element = (role: string, name: string, x: number, y: number): Element => ({
  role,
  name,
  value: '',
  states: [],
  box: { x: x - 10, y: y - 5, width: 20, height: 10 },
});

export const ELEMENTS: readonly Element[] = [
  element('menuitem', 'File', 50, 20),
  element('textbox', 'Name', 200, 100),
  element('button', 'OK', 300, 200),
];

export const frameOf = (profile: Profile, screen: Size, elements: readonly Element[] = ELEMENTS): Frame => ({
  screen,
  sent: sentSize(profile.resize, screen),
  elements,
});

const observed = (profile: Profile, screen: Size, index: number): ObservedScreen => {
  const frame = frameOf(profile, screen);
  return { image: { type: 'image', sha256: `image-${index}`, ...frame.sent }, frame };
};

/** A prompt after `turnCount` turns with the same reply, each with an image: the profile has to leave out images. */
export function promptAfter(profile: Profile, turnCount: number, raw: string, screen: Size): PromptInput {
  const reading = profile.read(raw, frameOf(profile, screen));
  const turns = Array.from(
    { length: turnCount },
    (_, index): PastTurn => ({
      ...observed(profile, screen, index + 1),
      raw,
      actions: reading.kind === 'actions' ? reading.actions.map(({ action }) => action) : [],
      ...(reading.kind === 'malformed' && { malformed: reading.why }),
    }),
  );
  return {
    instruction: 'Save the report as a PDF.',
    mode: profile.modes[0],
    turns: turns.slice(-profile.history.turns),
    current: observed(profile, screen, turnCount + 1),
    turnCount,
  };
}
