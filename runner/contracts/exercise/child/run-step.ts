import type { Callable } from './test-tree.ts'

const { apply } = Reflect
const start = setTimeout
const stop = clearTimeout
const NativePromise = Promise

export type Step = { ok: true } | { ok: false; error: unknown }

let rejectCurrent: ((error: unknown) => void) | null = null
const strays: { error: unknown }[] = []

/** An error that nobody caught: it fails what runs now, or else what has just run. */
export function onStrayError(error: unknown): void {
  if (rejectCurrent) rejectCurrent(error)
  else strays[strays.length] = { error }
}

/** Takes the stray errors that came in between. */
export function takeStray(): { error: unknown } | null {
  const first = strays[0] ?? null
  strays.length = 0
  return first
}

/**
 * Runs one test function or hook: synchronous, returning a thenable, or taking jest's `done`. Never rejects. A promise
 * that never settles ends with the time-out.
 */
export async function runStep(
  run: Callable,
  row: readonly unknown[] | null,
  timeoutMs: number,
): Promise<Step> {
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    await new NativePromise<unknown>((resolve, reject) => {
      rejectCurrent = reject
      timer = start(() => reject(new Error(`Exceeded timeout of ${timeoutMs} ms.`)), timeoutMs)
      begin(run, row, resolve, reject)
    })
    return { ok: true }
  } catch (error) {
    return { ok: false, error }
  } finally {
    rejectCurrent = null
    stop(timer)
  }
}

type Settle = (value?: unknown) => void

function begin(
  run: Callable,
  row: readonly unknown[] | null,
  resolve: Settle,
  reject: Settle,
): void {
  const takesDone = row ? run.length > row.length : run.length > 0
  if (takesDone) {
    const done = Object.assign(
      (error?: unknown) => (error === undefined ? resolve() : reject(error)),
      { fail: reject },
    )
    apply(run, undefined, row ? [...row, done] : [done])
    return
  }
  const returned = apply(run, undefined, row ?? [])
  const isObject =
    (typeof returned === 'object' && returned !== null) || typeof returned === 'function'
  const then = isObject ? (returned as { then?: unknown }).then : undefined
  if (typeof then === 'function') apply(then, returned, [() => resolve(), reject])
  else resolve()
}
