import { LOOKS_LIKE } from './confusables.ts'

/** Invisible, directing and control characters: two names that differ by them look the same. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2028\u2029]/u

/**
 * What a name looks like (UTS #39, made stricter): compatibility forms and case folded, invisible characters and accents
 * left out, look-alikes of ASCII replaced by it, and `1 i l |`, `0 o` and `rn m` taken for one each. Two names with one
 * skeleton cannot be told apart by a reader. Not for display.
 */
export function skeleton(name: string): string {
  const folded = name.normalize('NFKC').normalize('NFD')
  const letters = [...folded].flatMap((letter) => {
    if (HIDDEN.test(letter) || /\p{M}/u.test(letter)) return []
    const lower = letter.toLowerCase()
    return LOOKS_LIKE.get(letter) ?? LOOKS_LIKE.get(lower) ?? lower
  })
  return letters
    .join('')
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/[1i|]/g, 'l')
    .replaceAll('0', 'o')
    .replaceAll('rn', 'm')
}

/** Why a name cannot be shown as it is, as the end of a sentence; null = it can. */
export function findHidden(name: string): string | null {
  const hidden = [...name].find((letter) => HIDDEN.test(letter))
  if (hidden) return `holds an invisible character (${formatCodePoint(hidden)})`
  if (name !== name.trim() || /\s\s|[^\S ]/u.test(name)) return 'holds spaces that cannot be seen'
  if (name !== name.normalize('NFKC'))
    return 'holds compatibility characters; write it plainly (NFKC)'
  const imitated = [...name].find((letter) => !/[\x20-\x7e]/.test(letter) && LOOKS_LIKE.has(letter))
  // A word of another script may be made of such letters only; among ASCII ones they are there to deceive.
  if (imitated && /[A-Za-z]/.test(name))
    return `holds ${formatCodePoint(imitated)}, which looks like "${LOOKS_LIKE.get(imitated)}"`
  return null
}

function formatCodePoint(letter: string): string {
  return `U+${letter.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`
}
