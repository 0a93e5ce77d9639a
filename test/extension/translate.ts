// Stands in for `vscode.l10n.t` where nothing is translated.

import type { Translate } from '../../extension/words.ts';

export const t: Translate = (sentence, ...values) =>
  sentence.replace(/\{(\d+)\}/g, (_, index: string) => String(values[Number(index)]));
