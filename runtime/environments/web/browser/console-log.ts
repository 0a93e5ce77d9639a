// The last messages that the pages of a context wrote to their console. Bounded, because a page can write without end.

import type { CdpEvents, CdpSession } from './session.ts';

export interface ConsoleMessage {
  readonly level: string;
  readonly text: string;
}

const MAX_MESSAGES = 200;
const MAX_CHARACTERS = 1000;

export class ConsoleLog {
  #messages: readonly ConsoleMessage[] = [];

  get messages(): readonly ConsoleMessage[] {
    return this.#messages;
  }

  /** Also logs exceptions that no script caught. */
  read(session: CdpSession): void {
    session.on('Runtime.consoleAPICalled', ({ type, args }) =>
      this.#add(type, args.map(textOfArgument).join(' ')),
    );
    session.on('Runtime.exceptionThrown', ({ exceptionDetails }) =>
      this.#add('error', textOfException(exceptionDetails)),
    );
  }

  #add(level: string, text: string): void {
    this.#messages = [
      ...this.#messages.slice(1 - MAX_MESSAGES),
      { level, text: text.slice(0, MAX_CHARACTERS) },
    ];
  }
}

type ExceptionDetails = CdpEvents['Runtime.exceptionThrown'][0]['exceptionDetails'];

/** Scripts can throw any value. */
export const textOfException = ({ text, exception }: ExceptionDetails): string =>
  exception === undefined ? text : textOfArgument(exception);

type ConsoleArgument = CdpEvents['Runtime.consoleAPICalled'][0]['args'][number];

const textOfArgument = ({ type, value, unserializableValue, description }: ConsoleArgument): string =>
  typeof value === 'string' ? value : (description ?? unserializableValue ?? JSON.stringify(value) ?? type);
