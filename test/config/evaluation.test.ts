// The defaults of evaluations, and the sentences that document them.

import { expect, test } from 'vitest';
import { KIND_DEFAULTS } from '../../runtime/config/kinds.ts';
import { evaluation } from '../../runtime/config/sections/evaluation.ts';
import { DESKTOP_KINDS } from '../../runtime/protocol/desktop-kinds.ts';

const partsOf = (setting: 'everySeconds' | 'instances' | 'lastInstances'): readonly string[] =>
  evaluation.shape[setting].description?.split(/;| and (?=\d+ of the kind)|, (?=\d)/) ?? [];

/** The first part is that of the pocket desktop, which it does not name. */
const partOf = (parts: readonly string[], kind: string): string | undefined =>
  kind === 'pocket' ? parts[0] : parts.find(part => part.includes(`\`${kind}\``));

test.each(DESKTOP_KINDS)('the interval of evaluations on desktops of the kind %s is documented', kind => {
  const { evaluationInterval } = KIND_DEFAULTS[kind];
  const [shortest, longest] = [evaluationInterval(1), evaluationInterval(1e9)];
  const part = partOf(partsOf('everySeconds'), kind);
  expect(part).toContain(`between ${shortest} and ${longest.toLocaleString('en-US')}`);
});

test.each(DESKTOP_KINDS)('the instances of evaluations on desktops of the kind %s are documented', kind => {
  for (const setting of ['instances', 'lastInstances'] as const)
    expect(partOf(partsOf(setting), kind)).toMatch(new RegExp(`\\b${KIND_DEFAULTS[kind][setting]}\\b`));
});
