// A queue for a slow reader: one value is sent at a time, and of the waiting values only the newest of each name is kept. The queue is
// bounded by the number of names, and a value that arrives late is never outdated.

/** `sent` must be called once the value has left this process. */
type Send<Value> = (value: Value, sent: () => void) => void;

export class LatestQueue<Name, Value> {
  readonly #send: Send<Value>;
  /** In the order in which their names began to wait. */
  readonly #waiting = new Map<Name, Value>();
  #isSending = false;

  constructor(send: Send<Value>) {
    this.#send = send;
  }

  offer(name: Name, value: Value): void {
    this.#waiting.set(name, value);
    this.#sendNext();
  }

  #sendNext(): void {
    const [first] = this.#waiting;
    if (this.#isSending || first === undefined) return;
    const [name, value] = first;
    this.#waiting.delete(name);
    this.#isSending = true;
    this.#send(value, () => {
      this.#isSending = false;
      this.#sendNext();
    });
  }
}
