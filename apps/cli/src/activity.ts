/** What a command is at, for the sentence that says where it stopped. */
export class Activity {
  #describe: () => string = () => 'nothing was begun';

  /** Asked only where it is needed. */
  is(describe: () => string): void {
    this.#describe = describe;
  }

  get words(): string {
    return this.#describe();
  }
}
