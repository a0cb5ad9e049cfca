// Undo: a line of states, each with the name of what led to it.
//
// States are never changed, only replaced, so keeping a hundred of them costs little more than keeping one.

interface Entry<T> {
  label: string;
  state: T;
}

const MOST = 200;

export class History<T> {
  #entries: Entry<T>[] = $state.raw([]);
  #at = $state(0);

  constructor(first: T) {
    this.#entries = [{ label: "", state: first }];
  }

  get now(): T {
    return this.#entries[this.#at]!.state;
  }

  /** What undo would take back. */
  get undoable(): string | null {
    return this.#at > 0 ? this.#entries[this.#at]!.label : null;
  }

  get redoable(): string | null {
    return this.#entries[this.#at + 1]?.label ?? null;
  }

  /** A step of the person's; what was undone before it is gone. */
  push(label: string, state: T): void {
    const kept = this.#entries.slice(Math.max(0, this.#at + 2 - MOST), this.#at + 1);
    this.#entries = [...kept, { label, state }];
    this.#at = this.#entries.length - 1;
  }

  /** What the program adds to the last step: an answer that came in. */
  amend(state: T): void {
    this.#entries = this.#entries.map((entry, at) => (at === this.#at ? { label: entry.label, state } : entry));
  }

  undo(): string | null {
    const label = this.undoable;
    if (label !== null) this.#at -= 1;
    return label;
  }

  redo(): string | null {
    const label = this.redoable;
    if (label !== null) this.#at += 1;
    return label;
  }
}
