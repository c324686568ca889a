import { stripVTControlCharacters } from 'node:util'

const MOST = 2000

/** What an error says, without colours and control characters, at most 2000 characters. */
export function plainMessage(error: unknown): string {
  const said = error instanceof Error ? error.message || error.name : String(error)
  const plain = stripVTControlCharacters(said)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
    .trim()
  return plain.length > MOST ? `${plain.slice(0, MOST - 1)}…` : plain
}
