import { shellWord } from '#lib/domain/text/index.ts'
import type { SourceText } from '../suites/task-folder.ts'

/** Returns a shell command that writes a file; base64 survives all quoting on the way. */
export function writeCommand({ path, text }: SourceText): string {
  const encoded = Buffer.from(text).toString('base64')
  return `printf %s ${encoded} | base64 --decode > ${shellWord(path)}`
}
