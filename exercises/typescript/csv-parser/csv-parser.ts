export type CsvErrorCode =
  | 'unexpected-quote'
  | 'text-after-quote'
  | 'unterminated-quote'
  | 'duplicate-column'
  | 'field-count'

export class CsvError extends Error {
  readonly code!: CsvErrorCode
  readonly line!: number
  readonly column!: number
}

export interface CsvOptions {
  delimiter?: string
  header?: boolean
}

export function parseCsv(text: string, options?: CsvOptions & { header?: false }): string[][]
export function parseCsv(
  text: string,
  options: CsvOptions & { header: true },
): Record<string, string>[]
export function parseCsv(
  text: string,
  options?: CsvOptions,
): string[][] | Record<string, string>[] {
  throw new Error('Remove this line and implement the function')
}
