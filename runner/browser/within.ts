class UnansweredError extends Error {}

/** Whether somebody was given up who did not answer, as against one who refused. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof UnansweredError
}

/** The promise's answer, or an error when there is none within `limitMs`; a late refusal disturbs nobody. */
export async function within<Answer>(
  promise: Promise<Answer>,
  limitMs: number,
  what: string,
): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new UnansweredError(`no answer to ${what} in ${limitMs} ms`)),
      limitMs,
    )
  })
  promise.catch(() => {})
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
