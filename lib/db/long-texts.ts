import { randomUUID } from 'node:crypto'
import { processWide } from '../process-wide.ts'
import { dialectOf } from './dialect.ts'

/** Texts on their way to the driver, by the word that stands for each in its query. */
const texts = processWide('long texts', () => new Map<string, string>())

/**
 * Runs a query with a long text as one of its arguments: `query` gets what to pass instead of it. Prisma would escape,
 * copy and parse the whole text several times before the driver gets it, which takes longer than SQLite's own work.
 */
export async function withLongText<T>(
  client: object,
  text: string,
  query: (argument: string) => Promise<T>,
): Promise<T> {
  // PostgreSQL's driver is not ours, so it cannot know the words.
  if (dialectOf(client) === 'postgresql') return query(text)
  const word = randomUUID()
  texts.set(word, text)
  try {
    return await query(word)
  } finally {
    texts.delete(word)
  }
}

/** The text that an argument stands for: itself, unless its query was run by `withLongText`. */
export function longTextOf(argument: string): string {
  return texts.get(argument) ?? argument
}
