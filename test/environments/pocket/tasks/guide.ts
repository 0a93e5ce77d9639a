// The example task file of docs/tasks.md.

import { readFileSync } from 'node:fs';

const guide = readFileSync(new URL('../../../../docs/tasks.md', import.meta.url), 'utf8');

export const EXAMPLE = /```json\n([\s\S]*?)```/.exec(guide)?.[1] ?? '';
