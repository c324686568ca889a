/** A body that cannot be read; answered with its status, never a crash. */
export class BadBodyError extends Error {
  readonly status: number
  constructor(message: string, status = 400) {
    super(message)
    this.status = status
  }
}
