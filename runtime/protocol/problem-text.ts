// A problem as one line for people. Pure.

/** Names the part of the run first, unless the message begins with it. */
export function problemText(thing: string, message: string): string {
  const start = message.slice(0, thing.length).toLowerCase();
  const isNamed = start === thing.toLowerCase() && !/\w/.test(message.charAt(thing.length));
  return isNamed ? message : `${thing}: ${message}`;
}
