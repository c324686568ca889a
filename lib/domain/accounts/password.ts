export const MIN_PASSWORD_LENGTH = 12
export const MAX_PASSWORD_LENGTH = 128

const COMMON =
  /passwor[dt]|qwert[yz]|letmein|welcome|admin|proofboard|iloveyou|abc123|changeme|secret/i
const RUNS = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm']

/** Returns why this password is refused for `email`'s account, as a sentence; null = accepted. */
export function findPasswordProblem(password: string, email: string): string | null {
  const length = [...password].length
  if (length < MIN_PASSWORD_LENGTH) {
    return `Take at least ${MIN_PASSWORD_LENGTH} characters; this has ${length}. Several words in a row do well.`
  }
  if (password.length > MAX_PASSWORD_LENGTH)
    return `Take at most ${MAX_PASSWORD_LENGTH} characters.`
  const plain = password.trim().toLowerCase()
  const own = email.trim().toLowerCase()
  if (own !== '' && (plain === own || plain === own.split('@')[0])) {
    return 'The password must not be the e-mail address.'
  }
  if (new Set(plain).size < 4) return 'This repeats a few characters: it is guessed at once.'
  return null
}

export type Strength = 'too weak' | 'weak' | 'fair' | 'strong'

/** Estimates a password's strength: repeated, sequential and common parts count little. */
export function passwordStrength(password: string, email: string): Strength {
  if (findPasswordProblem(password, email) !== null) return 'too weak'
  const plain = password.toLowerCase()
  const telling = [email.split('@')[0] ?? '', ...(COMMON.exec(plain) ?? [])]
  const own = telling.filter((word) => word.length > 2 && plain.includes(word.toLowerCase()))
  const counted = countSurprising(plain) - own.reduce((sum, word) => sum + word.length - 1, 0)
  const bits = counted * Math.log2(alphabetSize(password))
  if (bits < 45) return 'weak'
  return bits < 85 ? 'fair' : 'strong'
}

/** Counts characters that the previous one does not predict. */
function countSurprising(text: string): number {
  const pairs = new Set<string>()
  return [...text].filter((char, at, all) => {
    const pair = `${all[at - 1] ?? ''}${char}`
    const known = at > 0 && (pairs.has(pair) || pair[0] === pair[1] || isRun(pair))
    pairs.add(pair)
    return !known
  }).length
}

function isRun(pair: string): boolean {
  const back = [...pair].reverse().join('')
  return RUNS.some((run) => run.includes(pair) || run.includes(back))
}

function alphabetSize(text: string): number {
  const kinds: [RegExp, number][] = [
    [/[a-z]/, 26],
    [/[A-Z]/, 26],
    [/\d/, 10],
    [/[^a-zA-Z\d]/, 30],
  ]
  return kinds.reduce((sum, [kind, size]) => sum + (kind.test(text) ? size : 0), 1)
}
