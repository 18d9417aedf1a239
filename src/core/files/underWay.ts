/** Work that is under way, by key: callers that come meanwhile share it. */
export class UnderWay<K, T> {
  readonly #running = new Map<K, Promise<T>>();

  /** The work of this key that is under way; undefined if there is none. */
  get(key: K): Promise<T> | undefined {
    return this.#running.get(key);
  }

  /** The result of the work of this key, which begins unless it is under way. */
  share(key: K, work: () => Promise<T>): Promise<T> {
    const known = this.#running.get(key);
    if (known) return known;
    const running = work().finally(() => this.#running.delete(key));
    this.#running.set(key, running);
    return running;
  }
}
