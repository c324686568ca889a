import { AppError } from '#lib/errors.ts'

type Bytes = AsyncIterable<Uint8Array>

/** Passes bytes on and counts them; `check` is told the sum before the bytes go further, and may throw. */
export async function* metered(
  source: Bytes,
  check: (sum: number) => void,
): AsyncGenerator<Buffer> {
  let sum = 0
  for await (const chunk of source) {
    sum += chunk.byteLength
    check(sum)
    yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  }
}

/** Passes bytes on while they keep coming: gives up after `idleMs` without any, and after `totalMs`. */
export async function* timed(
  source: Bytes,
  { idleMs, totalMs }: { idleMs: number; totalMs: number },
): AsyncGenerator<Uint8Array> {
  const pieces = source[Symbol.asyncIterator]()
  const endsAt = performance.now() + totalMs
  try {
    while (true) {
      const piece = await within(pieces.next(), Math.min(idleMs, endsAt - performance.now()))
      if (piece.done) return
      yield piece.value
    }
  } finally {
    // A source that hangs would hang here too: nobody waits for it.
    pieces.return?.().catch(() => {})
  }
}

async function within<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const message = 'the upload timed out: nothing was stored, send it again'
    timer = setTimeout(() => reject(new AppError('invalid-request', message)), Math.max(0, ms))
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** The first bytes (`wanted`, or fewer at the end) and all bytes again, those included. */
export async function peek(
  source: Bytes,
  wanted: number,
): Promise<{ head: Buffer; all: AsyncGenerator<Uint8Array> }> {
  const pieces = source[Symbol.asyncIterator]()
  const first: Uint8Array[] = []
  let length = 0
  while (length < wanted) {
    const piece = await pieces.next()
    if (piece.done) break
    first.push(piece.value)
    length += piece.value.byteLength
  }
  const head = Buffer.concat(first)
  return { head: head.subarray(0, wanted), all: again(head, pieces) }
}

async function* again(head: Buffer, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    if (head.length > 0) yield head
    for (let piece = await rest.next(); !piece.done; piece = await rest.next()) yield piece.value
  } finally {
    rest.return?.().catch(() => {})
  }
}
