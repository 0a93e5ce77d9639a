// What is said to a shell that stays, and how its answers are told from what its commands print: each answer stands between
// marks that only this one answer has, and that no command ever sees. Pure.

/** What a command came to. */
export interface CommandResult {
  /** As a shell counts: above 128 it was ended by a signal. */
  readonly code: number;
  readonly output: Uint8Array;
  readonly errors: Uint8Array;
  /** Whether there was more of one of them than was to be read. */
  readonly isCut: boolean;
}

/** In memory, and out of sight: a desktop's own folders show nothing of it. */
const FOLDER = '/dev/shm/.dartboard';

/** One word for a shell, whatever is in it. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The first thing said to a shell: its answer's output is its number. */
export const greeting = (mark: string): string =>
  `mkdir -p -m 700 ${FOLDER}; cd; printf '%s:%s%s:%s=0\\n' ${mark} $$ ${mark} ${mark}\n`;

/**
 * Output goes to files and is read from there: a program that is left running in the background keeps nothing waiting. The
 * marks are given to the shell alone, so what a command prints can hold anything.
 */
export function scriptOf(command: string, number: number, most: number, mark: string): string {
  const [output, errors] = [`${FOLDER}/$$-${number}-output`, `${FOLDER}/$$-${number}-errors`];
  const read = (file: string): string => `printf %s: ${mark}; head -c ${most + 1} ${file}`;
  return (
    `{ sh -c ${shellQuote(command)} </dev/null >${output} 2>${errors}; code=$?; ` +
    `${read(output)}; ${read(errors)}; printf '%s=%s\\n' ${mark} $code; rm -f ${output} ${errors}; }\n`
  );
}

/**
 * Ends a shell with all that it started, but for what has a session of its own. Kills by session, since a command can have
 * groups of processes below it; uses nothing but the shell, since a desktop may have no room for another process.
 */
export const endingOf = (shell: string): string =>
  `for file in /proc/[0-9]*/stat; do { read -r line <$file; } 2>/dev/null || continue; set -- \${line##*) }; ` +
  `[ "$4" = ${shell} ] && kill -KILL \${line%% *}; done; rm -f ${FOLDER}/${shell}-*`;

/** Hears one answer in pieces cut anywhere, and tells it once its last mark is there. */
export function resultReader(
  mark: string,
  most: number,
  tell: (answer: CommandResult) => void,
): (piece: Uint8Array) => void {
  const pieces: Uint8Array[] = [];
  let end = '';
  return piece => {
    pieces.push(piece);
    // Behind the last mark stands '=', which no output can bring about: a ':' stands before each output.
    end = (end + Buffer.from(piece.subarray(-LAST_LINE)).toString('latin1')).slice(-mark.length - LAST_LINE);
    const code = new RegExp(`${mark}=(\\d+)\\n$`).exec(end)?.[1];
    if (code !== undefined) tell(answerIn(Buffer.concat(pieces), mark, Number(code), most));
  };
}

const LAST_LINE = 64;

function answerIn(all: Buffer, mark: string, code: number, most: number): CommandResult {
  const first = all.indexOf(mark);
  const second = all.indexOf(mark, first + mark.length);
  const last = all.lastIndexOf(mark);
  const output = all.subarray(first + mark.length + 1, second);
  const errors = all.subarray(second + mark.length + 1, last);
  return {
    code,
    output: output.subarray(0, most),
    errors: errors.subarray(0, most),
    isCut: output.length > most || errors.length > most,
  };
}
