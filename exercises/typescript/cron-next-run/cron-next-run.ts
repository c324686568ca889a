export type CronField = 'minute' | 'hour' | 'day-of-month' | 'month' | 'day-of-week'

export class CronError extends Error {
  /** The field that cannot be read, or null if there are not five fields. */
  readonly field: CronField | null

  constructor(field: CronField | null, message: string) {
    super()
    throw new Error('Remove this line and implement the function')
  }
}

export function nextRun(expression: string, after: Date): Date | null {
  throw new Error('Remove this line and implement the function')
}
