import { readModelName, type Subject } from '../record/index.ts'

/**
 * Invisible, directional and control characters: names that differ only in them look the same. Those after `\u2029` are
 * blank symbols.
 */
const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800\u{13441}\u{13442}\u{16fe4}\u{1d159}]/u

/** Cached: a board asks for the same few names each time it is built. */
const known = new Map<string, string>()
const MAX_KNOWN = 10_000

/**
 * Returns what a name looks like (UTS #39, made stricter): folds compatibility forms and case, drops invisible
 * characters and accents, replaces look-alikes of ASCII, and folds each of `1 i l |`, `0 o`, `rn m`, `vv w` and `cl d`.
 * Spaces, dots and dashes count only between digits. Two names with one skeleton look the same to a reader. Not for
 * display.
 */
export function skeleton(name: string): string {
  const before = known.get(name)
  if (before !== undefined) return before
  if (known.size >= MAX_KNOWN) known.clear()
  const found = foldName(name)
  known.set(name, found)
  return found
}

function foldName(name: string): string {
  const folded = name.normalize('NFKC').normalize('NFD')
  const letters = [...folded].flatMap((letter) => {
    if (HIDDEN.test(letter) || /\p{M}/u.test(letter)) return []
    const lower = letter.toLowerCase()
    return LOOKS_LIKE.get(letter) ?? LOOKS_LIKE.get(lower) ?? lower
  })
  return letters
    .join('')
    .replace(/[1i|]/g, 'l')
    .replaceAll('0', 'o')
    .replaceAll('m', 'rn')
    .replaceAll('w', 'vv')
    .replaceAll('d', 'cl')
    .replace(SEPARATORS, foldSeparators)
}

/** U+30FB is the dot between words in Japanese. */
const SEPARATORS = /[\s\p{Z}\p{Pd}\p{Pc}.\u30fb]+/gu

/** `gpt-4o` and `gpt4o` are one name, but 4.5, 4-5 and 45 are not. At this point 1 is already written `l` and 0 `o`. */
function foldSeparators(run: string, at: number, name: string): string {
  const isInNumber =
    /[\dlo]$/.test(name.slice(0, at)) && /^[\dlo]/.test(name.slice(at + run.length))
  if (!isInNumber) return ''
  return run.includes('.') ? '.' : '-'
}

/**
 * Normalises a subject for comparison: names that look the same are equal, and vendor prefixes of models are dropped.
 */
export function plainSubject(subject: Subject): Subject {
  const fold = (text: string | null) => text && skeleton(text)
  const { aliases: _, arm, secondary, ...rest } = subject
  const { name, version, adapterVersion, provider, modelRequested } = rest
  return {
    ...rest,
    // An arm is identified by its digest, whatever its name.
    ...(arm !== undefined && rest.armDigest === undefined && { arm }),
    ...(secondary && { secondary: secondary.map(plainModel).sort() }),
    name: skeleton(name),
    version: fold(version?.replace(/^\s*v(?=\d)/i, '') ?? null),
    adapterVersion: fold(adapterVersion),
    provider: fold(provider),
    modelRequested: modelRequested && plainModel(modelRequested),
  }
}

/** `name@snapshot`; without `@` if the name states no snapshot. */
function plainModel(name: string): string {
  const { model, snapshot } = readModelName(name)
  return snapshot === null ? skeleton(model) : `${skeleton(model)}@${snapshot}`
}

/** Returns subject and model as one key, without versions and snapshots: look-alikes have the same key. */
export function plainName(subject: Subject): string {
  const { name, modelRequested } = plainSubject(subject)
  return `${name}\n${modelRequested?.split('@', 1)[0] ?? ''}`
}

/** Returns why a name cannot be shown as it is, as the end of a sentence; null = it can. */
export function findHidden(name: string): string | null {
  const hidden = [...name].find((letter) => HIDDEN.test(letter))
  if (hidden) return `contains an invisible character (${formatCodePoint(hidden)})`
  if (name !== name.trim() || /\s\s|[^\S ]/u.test(name)) return 'contains invisible spaces'
  if (name !== name.normalize('NFKC'))
    return 'contains compatibility characters; use their plain form (NFKC)'
  const imitated = [...name].find((letter) => !/[\x20-\x7e]/.test(letter) && LOOKS_LIKE.has(letter))
  // A word of another script may consist of such letters only; mixed with ASCII letters they are deceptive.
  if (imitated && /[A-Za-z]/.test(name))
    return `contains ${formatCodePoint(imitated)}, which looks like "${LOOKS_LIKE.get(imitated)}"`
  return null
}

function formatCodePoint(letter: string): string {
  return `U+${letter.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`
}

/**
 * Characters that look like ASCII ones, keyed by what they look like, in lower case: code points in hexadecimal. From
 * `confusables.txt` of Unicode 17.0.0 (UTS #39; © Unicode, Inc., Unicode License v3), without what NFKC folds by
 * itself, and with further dashes and dots.
 */
const CONFUSABLES: readonly (readonly [looksLike: string, codePoints: string])[] = [
  ['!', '1c3 2d51'],
  ['&', 'a778'],
  [
    "'",
    '55d 2018 2019 201b 5f3 2032 2035 55a 2b9 2c8 2ca 2cb 2f4 2bb 2bd 2bc 2be a78c 5d9 7f4 7f5 144a 16cc 16f51 16f52',
  ],
  ["''", '1cd3 201c 201d 201f 5f4 3003 2ba 2f6 2ee 5f2'],
  ["'b", '181'],
  ["'d", '18a'],
  ["'p", '1a4'],
  ["'t", '1ac'],
  ["'y", '1b3'],
  ['(', '2768 2772 3014 fd3e'],
  ['((', '2e28'],
  [')', '2769 2773 3015 fd3f'],
  ['))', '2e29'],
  ['*', '204e 66d 2217 1031f'],
  ['+', '16ed 2795 1029b 1e6e9'],
  [',', '60d 66b 201a a4f9'],
  [
    '-',
    '2010 2012 2013 6d4 2043 2d7 2212 2796 2cbb 2cba 2014 2015 58a 5be 1806 23af 2500 2501 2574 2576 2578 257a 2e17 2e1a 2e3a 2e3b 2e5d 10ead',
  ],
  ['-.', 'a4fe'],
  [
    '.',
    '1d16d 701 702 a60e 10a50 660 6f0 a4f8 b7 2022 2027 2219 22c5 16eb 1427 2981 2e31 2e33 a78f 10101',
  ],
  ['.,', 'a4fb'],
  ['..', 'a4fa'],
  ['/', '1735 2041 2215 2044 2571 27cb 29f8 1d23a 31d3 3033 2cc7 2cc6 30ce 4e3f'],
  ['//', '2afd'],
  ['///', '2afb'],
  ['2', 'a75a 1a7 3e8 a644 14bf a6ef'],
  ['3', '1d206 969 ae9 a7ab 21c 1b7 a76a 2c9c 2cc4 2ccc 417 4e0 16f3b 118ca'],
  ['4', '13ce 118af'],
  ['5', '1bc 118bb'],
  ['6', '2cd3 2cd2 3ec 2cdc 431 13ee 118d5'],
  ['7', '1d212 104d2 118c6'],
  ['8', 'b03 9ea a6a 1e8cb 223 222 1031a'],
  ['9', 'a67 b68 9ed d6d a76e 2ccb 2cca 118cc 118ac 118d6'],
  [':', '903 a83 589 703 704 16ec 1803 1809 205a 5c3 2f8 a789 2236 2d0 a4fd 11dd9'],
  ['<', '2039 276e 2c2 1d236 1438 16b2'],
  ['<<', '226a'],
  ['<<<', '22d8'],
  ['=', '1400 2e40 30a0 a4ff'],
  ['>', '203a 276f 2c3 1d237 1433 16f3f'],
  ['><', '2aa5'],
  ['>>', '226b 2a20'],
  ['>>>', '22d9'],
  ['?', '294 241 97d 13ae a6eb'],
  ['\\', '2216 27cd 29f5 29f9 1d20f 1d23b 31d4 4e36'],
  ['\\\\', '2cf9 244a'],
  ['^', '2c4 2c6'],
  ['_', '7fa'],
  ['a', '237a 251 3b1 430 391 410 13aa 15c5 a4ee 16f40 102a0'],
  ['aa', 'a733 a732'],
  ['ae', 'e6 4d5 c6 4d4'],
  ['ao', 'a735 a734'],
  ['ar', '1f707'],
  ['au', 'a737 a736'],
  ['av', 'a739 a73b a738 a73a'],
  ['ay', 'a73d a73c'],
  ['b', '184 42c 13cf 1472 15af 16eb6 a7b4 392 2c82 412 13f4 15f7 a4d0 10282 102a1 10301'],
  ["b'", '1488'],
  ['bl', '42b'],
  [
    'c',
    '1d04 2ca5 441 1004 105a abaf 1043d 1f74c 118e9 118f2 2ca4 421 13df a4da 102a2 10302 10415 1051c',
  ],
  ["c'", '187'],
  ['d', '501 13e7 146f a4d2 13a0 15de 15ea a4d3'],
  ["d'", '1487'],
  ['dz', '2a3'],
  ['e', '212e ab32 435 4bd 22ff 395 415 2d39 13ac a4f0 118a6 118ae 10286'],
  ['f', 'ab35 a799 192 1e9d 584 1d213 a798 3dc 15b4 a4dd 118c2 118a2 10287 102a5 10525'],
  ['g', '261 1d83 18d 581 50c 13c0 13f3 a4d6'],
  ["g'", '193'],
  ['h', '4bb 570 13c2 397 2c8e 41d 13bb 157c a4e7 102cf'],
  ['i', '2373 131 26a 269 3b9 2c93 456 a647 582 ab75 13a5 118c3'],
  ['j', '3f3 458 a7b2 37f 408 13ab 148d a4d9'],
  ['k', '39a 2c94 41a 13e6 16d5 a4d7 10518'],
  ["k'", '198'],
  [
    'l',
    '5c0 2223 23fd 661 6f1 10320 1e8c7 196 1c0 399 2c92 406 4cf 4c0 5d5 5df 627 7ca 2d4f 16c1 a4f2 16f28 1028a 10309 11dda 11de1 16eaa 1d22a 2cd0 13de 14aa a4e1 16f16 118a3 118b2 1041b 10526',
  ],
  ["l'", '5f1'],
  ['ll', '2016 2225 1c1 5f0'],
  ['lo', '42e'],
  ['ls', '2aa'],
  ['lt', '20b6'],
  ['lz', '2ab'],
  ['m', '39c 3fa 2c98 41c 13b7 15f0 16d6 a4df 102b0 10311'],
  ['mb', '1f76b'],
  ['n', '578 57c 39d 2c9a a4e0 10513'],
  [
    'o',
    'c02 c82 d02 d82 966 9e6 a66 ae6 b66 be6 c66 d66 e50 ed0 1040 17e0 114d0 665 6f5 1d0f 1d11 ab3d 3bf 3c3 2c9f 3ed 43e 10ff 585 5e1 647 6be 6c1 6d5 d20 101d 104ea 118c8 118d7 1042c 7c0 ce6 3007 118e0 39f 2c9e 41e 555 2d54 12d0 b20 104c2 a4f3 118b5 10292 102ab 10404 10516 11de0',
  ],
  ["o'", '1a1 1a0 13a4'],
  ['oe', '153 152'],
  ['oo', '221e a74f a699 a74e a698'],
  ['p', '2374 fe 1bf 3c1 3f8 2ca3 2ccf 440 3a1 2ca2 2cce 420 13e2 146d a4d1 10295'],
  ["p'", '1486'],
  ['q', '51b 563 566 2d55'],
  ['qe', '1f700'],
  ['r', 'ab47 ab48 1d26 2c85 433 ab81 1d216 1a6 13a1 13d2 104b4 1587 a4e3 16f35'],
  ["r'", '491'],
  ['rn', '118e3 11700'],
  ['s', 'a731 1bd 455 d1f abaa 118c1 10448 405 54f 13d5 13da a4e2 16f3a 10296 10420'],
  ['sss', '1f75c'],
  ['t', '22a4 27d9 1f768 3a4 2ca6 422 13a2 a4d4 16f0a 118bc 10297 102b1 10315'],
  ['t3', 'a728'],
  ['tf', 'a777'],
  ['ts', '2a6'],
  [
    'u',
    'a79f 1d1c ab4e ab52 28b 3c5 57d 104f6 118d8 222a 22c3 54d 1200 104ce 144c a4f4 16f42 118b8',
  ],
  ["u'", '1467'],
  ['ue', '1d6b'],
  ['uo', 'ab63'],
  [
    'v',
    '2228 22c1 1d20 3bd 475 5d8 11706 aba9 118c0 1d20d 667 6f7 474 2d38 13d9 142f a6df a4e6 16f08 118a0 1051d',
  ],
  ['vb', '1f76c'],
  ['w', '26f 1d21 2cbd 461 448 51d 561 1170a 1170e 1170f ab83 118e6 118ef 51c 13b3 13d4 a4ea'],
  [
    'x',
    '166e d7 292b 292c 2a2f 445 1541 157d 166d 2573 10322 118ec a7b3 3a7 2cac 425 2d5d 16b7 a4eb 10290 102b4 10317 10527',
  ],
  [
    'y',
    '263 1d8c 28f 1eff ab5a 3b3 2ca9 443 4af 10e7 118dc 3a5 2ca8 423 4ae 13a9 13bd a4ec 16f43 118a4 102b2',
  ],
  ['z', '1d22 ab93 118c4 118e5 102f5 396 13c3 a4dc 118a9'],
  ['{', '2774 1d114'],
  ['}', '2775'],
  ['~', '2053 223c'],
]

/** The ASCII text that each character looks like. */
const LOOKS_LIKE: ReadonlyMap<string, string> = new Map(
  CONFUSABLES.flatMap(([text, codePoints]) =>
    codePoints.split(' ').map((hex) => [String.fromCodePoint(Number.parseInt(hex, 16)), text]),
  ),
)
