export interface AsyncQueueOptions {
  concurrency: number
}

export interface AddOptions {
  priority?: number
  signal?: AbortSignal
}

export type Task<T> = (signal: AbortSignal) => T | PromiseLike<T>

export class AsyncQueue {
  constructor(options: AsyncQueueOptions) {
    throw new Error('Remove this line and implement the function')
  }

  get waiting(): number {
    throw new Error('Remove this line and implement the function')
  }

  get running(): number {
    throw new Error('Remove this line and implement the function')
  }

  add<T>(task: Task<T>, options?: AddOptions): Promise<T> {
    throw new Error('Remove this line and implement the function')
  }

  whenDrained(): Promise<void> {
    throw new Error('Remove this line and implement the function')
  }

  whenIdle(): Promise<void> {
    throw new Error('Remove this line and implement the function')
  }
}
