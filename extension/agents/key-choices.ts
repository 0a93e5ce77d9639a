// The sources of a key that `Configure Agent` offers, and the name of a new key. Pure.

import { isLocal } from './answers.ts';

type KeySource =
  | { readonly kind: 'none' }
  /** A new key for the secret storage, under this name. */
  | { readonly kind: 'new'; readonly secret: string }
  | { readonly kind: 'stored'; readonly secret: string }
  | { readonly kind: 'variable' };

interface KeyChoice {
  readonly label: string;
  readonly detail: string;
  readonly source: KeySource;
}

/** The likeliest first: none for a server of this machine. `stored`: the names of keys in the secret storage. */
export function keyChoices(url: string, agent: string, stored: readonly string[]): readonly KeyChoice[] {
  const none: KeyChoice = {
    label: '$(circle-slash) No key',
    detail: 'The server accepts requests without a key.',
    source: { kind: 'none' },
  };
  const others: readonly KeyChoice[] = [
    ...stored.map(
      (secret): KeyChoice => ({
        label: `$(key) Stored key ${secret}`,
        detail: 'Another agent of this folder uses it, or you stored it earlier.',
        source: { kind: 'stored', secret },
      }),
    ),
    {
      label: '$(lock) Secret storage of VS Code',
      detail: 'You enter the key next. dartboard.json gets its name only.',
      source: { kind: 'new', secret: secretName(agent, stored) },
    },
    {
      label: '$(symbol-variable) Environment variable',
      detail: 'Dartboard reads the key from a variable, such as OPENAI_API_KEY.',
      source: { kind: 'variable' },
    },
  ];
  return isLocal(url) ? [none, ...others] : [...others, none];
}

const MAX_LENGTH = 90;

/** `ui-tars` is `UI_TARS`, or `UI_TARS_2` if that name is taken. */
function secretName(agent: string, taken: readonly string[]): string {
  const name = agent
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .slice(0, MAX_LENGTH);
  if (!taken.includes(name)) return name;
  for (let number = 2; ; number++) if (!taken.includes(`${name}_${number}`)) return `${name}_${number}`;
}
