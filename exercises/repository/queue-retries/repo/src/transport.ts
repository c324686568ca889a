/** What both kinds of servers answer with when they refuse. */
export class ServerError extends Error {
  readonly status: number

  constructor(status: number, message = `the server answered ${status}`) {
    super(message)
    this.status = status
  }
}

/** One request to a server; rejects with a ServerError or with whatever the network does. */
export type Send = (path: string, body: string) => Promise<string>

export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>

export const wait: Sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
