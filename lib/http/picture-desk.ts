import { AppError } from '#lib/errors.ts'

/** Drawing takes a core for a good part of a second. */
const MOST_DRAWN = 2
const MOST_WAITING = 8
const MOST_KEPT = 64

type Drawing = Promise<Uint8Array<ArrayBuffer>>
type Desk = { kept: Map<string, Drawing>; drawn: number; waiting: (() => void)[] }

// On globalThis, because Next may load a module more than once in a process.
const shared = globalThis as { proofboardPictures?: Desk }

/**
 * A picture by what it shows: drawn once, kept while there is room. Throws too-many-requests where as many wait already as
 * this server lets wait.
 */
export async function drawOnce(
  key: string,
  draw: () => Promise<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  shared.proofboardPictures ??= { kept: new Map(), drawn: 0, waiting: [] }
  const desk = shared.proofboardPictures
  const known = desk.kept.get(key)
  if (known !== undefined) return known
  const drawing = takePlace(desk).then(async () => {
    try {
      return new Uint8Array(await draw())
    } finally {
      leavePlace(desk)
    }
  })
  desk.kept.set(key, drawing)
  drawing.catch(() => desk.kept.delete(key))
  const [oldest] = desk.kept.keys()
  if (desk.kept.size > MOST_KEPT && oldest !== undefined) desk.kept.delete(oldest)
  return drawing
}

async function takePlace(desk: Desk): Promise<void> {
  if (desk.drawn < MOST_DRAWN) {
    desk.drawn += 1
    return
  }
  if (desk.waiting.length >= MOST_WAITING)
    throw new AppError(
      'too-many-requests',
      'too many images are being rendered: try again in a moment',
    )
  // Whoever leaves hands the place over: it is never free in between.
  await new Promise<void>((resolve) => desk.waiting.push(resolve))
}

function leavePlace(desk: Desk): void {
  const next = desk.waiting.shift()
  if (next) next()
  else desk.drawn -= 1
}
