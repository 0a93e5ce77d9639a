// What is sent to somebody who may read slowly: one value is on its way at a time, and of the values that wait behind it only the
// newest of each name is kept. So nothing queues without bound, and what arrives late is never old.

/** `sent` is called once the value has left this process. */
type Send<Value> = (value: Value, sent: () => void) => void;

export class Latest<Name, Value> {
  readonly #send: Send<Value>;
  /** In the order in which their names began to wait. */
  readonly #waiting = new Map<Name, Value>();
  #isSending = false;

  constructor(send: Send<Value>) {
    this.#send = send;
  }

  offer(name: Name, value: Value): void {
    this.#waiting.set(name, value);
    this.#next();
  }

  #next(): void {
    const [first] = this.#waiting;
    if (this.#isSending || first === undefined) return;
    const [name, value] = first;
    this.#waiting.delete(name);
    this.#isSending = true;
    this.#send(value, () => {
      this.#isSending = false;
      this.#next();
    });
  }
}
