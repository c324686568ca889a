import { exactForms } from '../../redact/exact-forms.ts'
import type { Answer } from './answer.ts'

const MOST_BYTES = 1 << 20

/**
 * Some providers repeat a refused key in their error. Error answers are short, so they are read whole, and a real key in
 * them is blotted out byte for byte (the length stays); without one the bytes go on unchanged. Longer answers are cut.
 */
export function cleanError(answer: Answer, realKeys: readonly string[]): Answer {
  return { ...answer, body: cleaned(answer, realKeys) }
}

async function* cleaned(answer: Answer, realKeys: readonly string[]): AsyncGenerator<Uint8Array> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of answer.body) {
    size += piece.length
    if (size > MOST_BYTES) throw new Error('the error answer is too long')
    pieces.push(piece)
  }
  const bytes = Buffer.concat(pieces)
  for (const form of realKeys.flatMap(exactForms)) blot(bytes, Buffer.from(form))
  yield bytes
}

function blot(bytes: Buffer, form: Buffer): void {
  for (let found = bytes.indexOf(form); found >= 0; found = bytes.indexOf(form, found))
    bytes.fill('*', found, found + form.length)
}
