import type { AttackResult } from '#lib/domain/audit/audit-document.ts'

/** Each result of an attack: its word, what it means, and its colour and sign, which never stand alone. */
export const RESULT_WORDS: Readonly<
  Record<AttackResult, { word: string; sign: string; text: string; tone: string }>
> = {
  paid: {
    word: 'paid',
    sign: '✕',
    text: 'The attack was scored as solved, or reached what it was after.',
    tone: 'text-bad',
  },
  unnamed: {
    word: 'unnamed',
    sign: '?',
    text: 'The attack gained nothing, but the evidence does not say what it did.',
    tone: 'text-warn',
  },
  named: {
    word: 'named',
    sign: '✓',
    text: 'A finding, a failed check or the list of restored files says what it did.',
    tone: 'text-good',
  },
  prevented: {
    word: 'prevented',
    sign: '–',
    text: 'What it wanted was out of reach, and the attempt failed plainly.',
    tone: 'text-muted',
  },
}
