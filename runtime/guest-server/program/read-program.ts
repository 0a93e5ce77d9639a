// Reads a Python program that uses pyautogui, whole and before any of it is performed. Only statements without control flow are known:
// imports, settings, calls with literal arguments, and a few values to print. The program is parsed, never run. Pure.

import { type Call, CallReader, type Literal } from '../../agents/codecs/call.ts';
import { ActionFormatError } from '../../agents/codecs/codec.ts';
import { type InputProgram, type InputStep, type PrintedValue, ProgramError } from './input-program.ts';
import { stepsOfCall } from './program-calls.ts';

/** OSWorld's server ends a program after this time. */
const MAX_SECONDS = 120;
const MAX_STEPS = 200_000;
/** pyautogui waits so long after each call. */
const DEFAULT_PAUSE_SECONDS = 0.1;
const MAX_STATEMENT = 120;

const SEPARATOR = /;/y;
const IMPORT = /import[ \t]+([\w., \t]+)/y;
const FROM = /(from[ \t]+[\w.]+[ \t]+import[ \t]+[\w., \t*]+)/y;
const SETTING = /((?:\w+\.)?(?:FAILSAFE|PAUSE)\s*=\s*[\w.]+)/y;
const PRINT = /print\s*\(\s*/y;
const PRINTED = /((?:\w+\.)?(?:position|size|system)\s*\(\s*\))/y;
const END = /\s*\)/y;
const COMMA = /\s*,\s*/y;
/** Tweens of movements, which need no quotes. */
const TWEEN = /((?:\w+\.)?(?:ease\w+|linear))(?![\w(])/y;

/** True if a program is one for this reader, rather than for Python. */
export const usesInput = (program: string): boolean => /\b(?:pyautogui|pyperclip)\b/.test(program);

/** Throws a ProgramError. */
export const readProgram = (program: string): InputProgram => new ProgramReader(program).program();

/** Calls whose arguments may be tweens. */
class StatementReader extends CallReader {
  override literal(): Literal {
    return this.match(TWEEN) ?? super.literal();
  }
}

class ProgramReader {
  readonly #reader: StatementReader;
  readonly #names = new Map<string, string>();
  readonly #steps: InputStep[] = [];
  #pause = DEFAULT_PAUSE_SECONDS;
  /** Where the present statement begins. */
  #start = 0;

  readonly #statements: readonly (readonly [RegExp, (text: string) => void])[] = [
    [IMPORT, modules => this.#import(modules)],
    [FROM, text => this.#importFrom(text)],
    [SETTING, text => this.#set(text)],
    [PRINT, () => this.#print()],
  ];

  constructor(program: string) {
    this.#reader = new StatementReader('pyautogui', program, 'strict');
  }

  program(): InputProgram {
    try {
      while (!this.#reader.atEnd()) {
        this.#start = this.#reader.position;
        this.#statement();
      }
    } catch (error) {
      if (error instanceof ActionFormatError) throw this.#error(error.reason);
      throw error;
    }
    const seconds = this.#steps.reduce((sum, step) => sum + (step.kind === 'pause' ? step.seconds : 0), 0);
    if (seconds <= MAX_SECONDS) return { steps: this.#steps, seconds };
    throw new ProgramError(
      `The program waits ${Math.round(seconds)} s in all, the limit is ${MAX_SECONDS} s. Nothing was performed. Send it in parts.`,
    );
  }

  #statement(): void {
    const reader = this.#reader;
    if (reader.match(SEPARATOR) !== undefined) return;
    for (const [pattern, read] of this.#statements) {
      const text = reader.match(pattern);
      if (text !== undefined) {
        read(text);
        return;
      }
    }
    // A string alone is a comment.
    if (reader.startsString()) reader.literal();
    else this.#call(this.#resolved(reader.call()));
  }

  #call(call: Call): void {
    this.#add(stepsOfCall(call, this.#pause, this.#refuse));
  }

  #add(steps: readonly InputStep[]): void {
    for (const step of steps) {
      if (this.#steps.length >= MAX_STEPS) this.#refuse(`the program has more than ${MAX_STEPS} steps`);
      this.#steps.push(step);
    }
  }

  /** `import a, b as c`. */
  #import(modules: string): void {
    for (const each of modules.split(',')) {
      const [, module = '', alias] = /^\s*([\w.]+)(?:\s+as\s+(\w+))?\s*$/.exec(each) ?? [];
      if (module === '') this.#refuse(`import ${modules} has no module: write its name`);
      if (alias !== undefined) this.#names.set(alias, module);
    }
  }

  /** `from a import b as c, d`. A star needs no names: bare names are those of pyautogui. */
  #importFrom(text: string): void {
    const [, module = '', names = ''] = /^from\s+([\w.]+)\s+import\s+(.*)$/.exec(text) ?? [];
    for (const each of names.split(',')) {
      const [, name = '', alias = name] = /^\s*([\w*]+)(?:\s+as\s+(\w+))?\s*$/.exec(each) ?? [];
      if (name === '') this.#refuse(`${text} cannot be read: write names with commas`);
      this.#names.set(alias, name === '*' ? '' : `${module}.${name}`);
    }
  }

  #resolved(call: Call): Call {
    const [first = '', ...rest] = call.name.split('.');
    const imported = this.#names.get(first);
    if (imported !== undefined) return { ...call, name: [imported, ...rest].join('.') };
    const isBare = rest.length === 0 && this.#names.has('*');
    return isBare ? { ...call, name: `pyautogui.${first}` } : call;
  }

  #set(text: string): void {
    const [name = '', value = ''] = text.split('=').map(part => part.trim());
    if (!name.endsWith('PAUSE')) return;
    const seconds = Number(value);
    if (!(seconds >= 0)) this.#refuse(`${name} needs seconds from 0`);
    this.#pause = seconds;
  }

  #print(): void {
    const reader = this.#reader;
    const parts: PrintedValue[] = [];
    while (reader.match(END) === undefined) {
      if (parts.length > 0 && reader.match(COMMA) === undefined)
        this.#refuse(
          'print takes texts, numbers, pyautogui.position(), pyautogui.size() and platform.system()',
        );
      if (parts.length > 0) parts.push({ kind: 'text', text: ' ' });
      parts.push(this.#printed());
    }
    const texts: readonly PrintedValue[] = [...parts, { kind: 'text', text: '\n' }];
    this.#add(texts.map(what => ({ kind: 'print', what })));
  }

  #printed(): PrintedValue {
    const value = this.#reader.match(PRINTED);
    if (value === undefined) return { kind: 'text', text: printedLiteral(this.#reader.literal()) };
    if (value.includes('system')) return { kind: 'text', text: 'Linux' };
    return { kind: value.includes('size') ? 'size' : 'position' };
  }

  readonly #refuse = (reason: string): never => {
    throw this.#error(reason);
  };

  #error(reason: string): ProgramError {
    const [line = ''] = this.#reader.text.slice(this.#start).split(/[;\n]/, 1);
    const number = this.#reader.text.slice(0, this.#start).split('\n').length;
    const statement = line.length > MAX_STATEMENT ? `${line.slice(0, MAX_STATEMENT)}…` : line.trim();
    return new ProgramError(
      `Line ${number}, ${JSON.stringify(statement)}: ${reason.replace(/\.$/, '')}. Nothing was performed. ` +
        'This desktop has no Python: it reads imports, pyautogui settings, and calls with literal arguments.',
    );
  }
}

/** As Python prints it. */
function printedLiteral(value: Literal): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return String(value);
}
