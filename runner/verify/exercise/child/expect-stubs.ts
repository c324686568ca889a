// Replaces jest-util and jest-message-util, of which `expect` needs only these few functions.

export const isPromise = (value: unknown): boolean =>
  value !== null &&
  (typeof value === 'object' || typeof value === 'function') &&
  typeof (value as { then?: unknown }).then === 'function'

export const pluralize = (word: string, count: number, ending = 's'): string =>
  `${count} ${word}${count === 1 ? '' : ending}`

export const separateMessageFromStack = (content: string): { message: string; stack: string } => {
  const at = content.indexOf('\n    at ')
  return at < 0
    ? { message: content, stack: '' }
    : { message: content.slice(0, at), stack: content.slice(at) }
}

export const formatStackTrace = (stack: string): string => stack
