/** Nobody waits for a provider's answer any more, because whoever asked has gone. It says nothing about the provider. */
export class CallCut extends Error {
  override readonly name = 'CallCut';
  readonly provider: string;
  /** True when the call was to change something there: it may still be carried out. */
  readonly mayHaveActed: boolean;

  constructor(provider: string, { mayHaveActed }: { mayHaveActed: boolean }) {
    super(`stopped waiting for the ${provider}`);
    this.provider = provider;
    this.mayHaveActed = mayHaveActed;
  }
}
