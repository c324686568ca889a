export type ParseReason =
  | 'empty'
  | 'expected-number'
  | 'expected-unit'
  | 'unit-order'
  | 'fraction'
  | 'too-large'

export type ParseResult =
  | { readonly ok: true; readonly milliseconds: number }
  | { readonly ok: false; readonly reason: ParseReason; readonly position: number }

/** Too loose: must be the text itself if it is a duration, otherwise never. */
export type DurationLiteral<Text extends string> = Text

export function duration<Text extends string>(literal: Text & DurationLiteral<Text>): number {
  throw new Error('Remove this line and implement the function')
}

export function parseDuration(text: string): ParseResult {
  throw new Error('Remove this line and implement the function')
}

export function formatDuration(milliseconds: number): string {
  throw new Error('Remove this line and implement the function')
}
