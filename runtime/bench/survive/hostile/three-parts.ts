// The rule that each rejection of an input must keep: its message states what failed, on which value or place, and what to do next.

/** Verbs with which a remedy begins. */
const REMEDY_VERBS = [
  ...[
    'Add',
    'Answer',
    'Ask',
    'Change',
    'Check',
    'Choose',
    'Close',
    'Connect',
    'Convert',
    'Copy',
    'Correct',
    'Delete',
    'Divide',
  ],
  ...[
    'Encode',
    'Export',
    'Free',
    'Give',
    'Import',
    'Install',
    'Join',
    'Leave',
    'List',
    'Lower',
    'Make',
    'Move',
    'Name',
    'Open',
  ],
  ...[
    'Pass',
    'Press',
    'Put',
    'Raise',
    'Read',
    'Reduce',
    'Reload',
    'Remove',
    'Rename',
    'Repair',
    'Replace',
    'Reset',
    'Resize',
  ],
  ...[
    'Restart',
    'Restore',
    'Run',
    'Save',
    'Select',
    'Send',
    'Set',
    'Shorten',
    'Split',
    'Start',
    'Trim',
    'Unpack',
    'Use',
    'Wait',
  ],
  'Write',
];
const REMEDY = new RegExp(`(?:^|[.:;?!)] |\\n)(?:Then |If [^.]+, )?(?:${REMEDY_VERBS.join('|')})\\b`, 'i');
/** Names what is allowed, or what Dartboard does next by itself. */
const ALLOWED_OR_AUTOMATIC =
  /\bmust be\b|\bExpected [^.]+, found\b|\bDid you mean\b|\bsettings\b[^.]* are \S|\bis not allowed\b|\b(?:is|are) (?:sent|made) again\b/;
/** A quoted text, a number, a place in a value, a path, or the name of a setting before a colon. */
const PLACE = /['"`‘“»]|\d|\w\.\w|\w\/\w|\[\w*\]|^\w+: /;
const MIN_SENTENCES = 2;
/** Texts of the JavaScript engine and of libraries, which name no remedy and mean nothing to a user. */
const RAW_ERROR =
  /Cannot (?:read|set|convert|destructure|mix)|is not (?:a function|iterable|defined)|(?:of|is) undefined|\[object |Invalid (?:array|string|typed array) length|out of bounds|Maximum call stack|ERR_[A-Z]|HPE_/;

/** Why a message breaks the rule; undefined if it has three parts. */
export function missingPart(message: string): string | undefined {
  if (RAW_ERROR.test(message)) return 'it is an error of the engine or of a library';
  if (message.length > MAX_LENGTH) return `it has more than ${MAX_LENGTH} characters`;
  const sentences = message.split(/[.?!:;)]\s|\n/).filter(each => each.trim() !== '');
  if (sentences.length < MIN_SENTENCES) return 'it has one sentence only';
  if (!PLACE.test(message)) return 'it names no value and no place';
  return REMEDY.test(message) || ALLOWED_OR_AUTOMATIC.test(message)
    ? undefined
    : 'it says nothing of what to do next';
}

/** A person reads it, and logs keep it. */
const MAX_LENGTH = 20_000;
