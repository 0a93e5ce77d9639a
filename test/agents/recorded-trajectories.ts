// Trajectories that a real model wrote. They lie beside the project where it is developed; users do not have them.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const FOLDER = join(import.meta.dirname, '../../../shared/data/dart-trajectories');

interface Message {
  readonly role: string;
  readonly content: string | readonly { readonly type: string; readonly text?: string }[];
}

/** The replies of a trajectory. */
export const turnsOf = (file: string): readonly string[] => {
  const messages: readonly Message[] = JSON.parse(readFileSync(join(FOLDER, file), 'utf8'));
  return messages
    .filter(({ role }) => role === 'assistant')
    .flatMap(({ content }) =>
      typeof content === 'string' ? [content] : content.flatMap(part => part.text ?? []),
    );
};

export const files = existsSync(FOLDER) ? readdirSync(FOLDER).filter(file => file.endsWith('.json')) : [];
