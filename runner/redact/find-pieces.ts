/** What a piece of a secret says to nobody is shorter; honest text shares no more with one by chance. */
const SHORTEST_PIECE = 24
/** Looked up at every so many characters: a piece has one of these windows whole, wherever it begins. */
const WINDOW = 12

const RUN = /[A-Za-z0-9+/=_%.~-]{24,}/g

type Place = { form: string; at: number }
type Piece = { start: number; end: number }

/**
 * Looks for parts of known texts: `base64` and terminals break what they print into lines, and tools cut it. Linear in
 * the text.
 */
export function pieceFinder(forms: readonly string[]): (text: string) => Piece[] {
  const places = new Map<string, Place[]>()
  for (const form of forms.filter(({ length }) => length >= SHORTEST_PIECE))
    for (let at = 0; at + WINDOW <= form.length; at++) {
      const window = form.slice(at, at + WINDOW)
      places.set(window, [...(places.get(window) ?? []), { form, at }])
    }
  if (places.size === 0) return () => []
  return (text) =>
    [...text.matchAll(RUN)].flatMap(({ index, 0: run }) =>
      findInRun(run, places).map(({ start, end }) => ({ start: index + start, end: index + end })),
    )
}

/** A form may begin with words (`Bearer …`): a piece is no more than what stands together. */
function findInRun(run: string, places: ReadonlyMap<string, readonly Place[]>): Piece[] {
  const found: Piece[] = []
  for (let at = 0; at + WINDOW <= run.length; at += WINDOW) {
    const pieces = (places.get(run.slice(at, at + WINDOW)) ?? []).map((one) => grow(run, at, one))
    const long = pieces.filter((piece) => piece.end - piece.start >= SHORTEST_PIECE)
    found.push(...long)
    // Behind a piece, so that a text of nothing but pieces takes no longer.
    at = long.reduce((most, piece) => Math.max(most, piece.end - WINDOW), at)
  }
  return found
}

/** As much around a window as run and form have in common. */
function grow(run: string, found: number, { form, at }: Place): Piece {
  let before = 0
  while (before < at && run[found - before - 1] === form[at - before - 1]) before += 1
  let after = WINDOW
  while (at + after < form.length && run[found + after] === form[at + after]) after += 1
  return { start: found - before, end: found + after }
}
